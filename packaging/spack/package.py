# A recipe for Spack, not built by anyone yet: scree with its headers and libraries, ranks of MPI, CUDA, and the Python
# package. Pages of `scree report` take d3 and three.js of Debian, which are no packages here.
from spack.package import *


class Scree(CMakePackage, CudaPackage, PythonExtension):
    """Ensembles of small mechanical systems: where rocks stop, with error bars and the same bits everywhere."""

    homepage = "https://scree.invalid"  # the address of the source, where there is one
    git = "https://scree.invalid/scree.git"

    license("Apache-2.0")

    version("main", branch="main")
    version("0.1.0", tag="v0.1.0")

    variant("mpi", default=False, description="Build scree-mpi, whose ranks share the samples")
    variant("python", default=False, description="Build the Python package")
    variant("gis", default=True, description="Read and write GeoTIFF and GeoPackage")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")

    depends_on("eigen")
    depends_on("boost@1.81:")
    depends_on("cli11")
    depends_on("nlohmann-json")
    depends_on("tomlplusplus")
    depends_on("hdf5@1.10.3:~mpi+hl")
    depends_on("qhull")
    depends_on("xxhash")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")
    with when("+gis"):
        depends_on("libtiff")
        depends_on("libgeotiff")
        depends_on("proj")
        depends_on("sqlite@3:")
    with when("+python"):
        extends("python@3.11:")
        depends_on("py-nanobind@3.1:", type="build")
        depends_on("py-numpy", type="run")
        depends_on("py-pandas", type="run")
        depends_on("py-xarray", type="run")
        depends_on("py-tomli-w", type="run")

    conflicts("%gcc@:11", msg="C++20 needs g++ 12 or later")
    conflicts("cuda_arch=none", when="+cuda", msg="CUDA needs cuda_arch")

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("SCREE_CUDA", "cuda"),
            self.define_from_variant("SCREE_MPI", "mpi"),
            self.define_from_variant("SCREE_PYTHON", "python"),
            self.define_from_variant("SCREE_GIS", "gis"),
            self.define("SCREE_PAGE", False),
            self.define("SCREE_PLAIN_ISA", "x86-64-v3"),
            self.define("BUILD_TESTING", False),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("SCREE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return arguments

    @run_after("install", when="+python")
    def install_python(self):
        with working_dir(self.build_directory):
            cmake = which("cmake", required=True)
            cmake("--install", ".", "--component", "python", "--prefix", python_platlib)
        install_tree(join_path(self.stage.source_path, "python", "scree"), join_path(python_platlib, "scree"))
