"""Maps of the paths are those of the program, in the process and out of a result."""

import json
import subprocess
import sys

import numpy as np
import pytest

import scree
from conftest import CONFIGS, PROGRAM
from scree._result import _crs_attributes

MAP = {"maps.cell": 10.0, "terrain.crs": "EPSG:31287"}


@pytest.fixture(scope="module")
def made():
    """Sixty rocks above a road."""
    return scree.run(CONFIGS / "first_map.toml", samples=60, set=MAP)


def test_maps_are_along_y_and_x_with_units_and_their_system(made):
    maps = made.scree.maps()
    assert maps.passages.dims == ("y", "x") and maps.passages.dtype == np.uint32
    assert maps.speed_max.attrs["units"] == "m/s" and maps.speed_max.dtype == np.float32
    assert maps.reach_probability.attrs["long_name"] == "reach probability"
    np.testing.assert_array_equal(np.diff(maps.x), 10.0)
    assert float(maps.x[0]) == maps.attrs["west"] + 5 and maps.x.attrs["units"] == "m"
    assert '["EPSG","31287"]' in maps.crs.attrs["crs_wkt"] == maps.crs.attrs["spatial_ref"]
    assert maps.crs.attrs["grid_mapping_name"] == "lambert_conformal_conic"
    assert maps.passages.attrs["grid_mapping"] == "crs"
    assert maps.attrs["n"] == 60 and int(maps.passages.max()) <= 60
    assert 0 < int(maps.deposits.sum()) <= made.scree.status["stopped"]


def test_the_maps_of_a_result_are_those_of_its_run(made, tmp_path):
    made.scree.save(tmp_path / "r.h5")
    again = scree.open(tmp_path / "r.h5").scree.maps()
    assert again.identical(made.scree.maps())
    subprocess.run([PROGRAM, "export", str(tmp_path / "r.h5"), "--to", "asc", "-o", str(tmp_path / "asc"), "--layers",
                    "passages,speed_max", "--quiet"], check=True)
    for name in ("passages", "speed_max"):
        rows = np.loadtxt(tmp_path / "asc" / f"{name}.asc", skiprows=6)
        rows[rows == -9999] = np.nan
        np.testing.assert_allclose(again[name].values, rows[::-1], rtol=1e-6)


# In a process of its own: what it reads with is not what wrote.
READER = """
import json, sys
import numpy, xarray
path, out = sys.argv[1:]
maps = xarray.open_dataset(path, engine="h5netcdf", group="maps")
samples = xarray.open_dataset(path, engine="h5netcdf", group="samples")
names = ["passages", "speed_max", "reach_probability", "x", "y"]
numpy.savez(out, **{name: maps[name].values for name in names})
print(json.dumps({"units": maps.speed_max.attrs["units"], "dims": maps.speed_max.dims,
                  "runout": samples.runout.values.tolist()}))
"""


def test_xarray_reads_maps_and_samples_of_a_result_without_scree(made, tmp_path):
    pytest.importorskip("h5netcdf")
    made.scree.save(tmp_path / "r.h5")
    told = json.loads(subprocess.run([sys.executable, "-c", READER, tmp_path / "r.h5", tmp_path / "m.npz"], check=True,
                                     stdout=subprocess.PIPE, text=True).stdout)
    assert told["units"] == "m/s" and told["dims"] == ["y", "x"]
    np.testing.assert_array_equal(told["runout"], made.runout.values)
    theirs, ours = np.load(tmp_path / "m.npz"), made.scree.maps()
    for name in theirs.files:
        np.testing.assert_array_equal(theirs[name], ours[name].values, err_msg=name)


def test_a_result_that_was_replaced_has_no_maps_for_what_was_opened(tmp_path):
    path = tmp_path / "r.h5"
    scree.run(CONFIGS / "first_map.toml", samples=3, out=path)
    opened = scree.open(path)
    assert opened.scree.maps("passages").attrs["n"] == 3
    scree.run(CONFIGS / "first_map.toml", samples=4, out=path, force=True)
    with pytest.raises(scree.InputError, match="r.h5: is no longer the result that was opened$"):
        opened.scree.maps("passages")


def test_some_layers_are_chosen(made):
    assert list(made.scree.maps("passages").data_vars) == ["passages"]
    assert list(made.scree.maps(["speed_max", "passages"]).data_vars) == ["passages", "speed_max"]
    with pytest.raises(scree.ConfigError, match='^layers: there is no layer "passage", did you mean "passages"'):
        made.scree.maps("passage")


def test_a_code_is_no_wkt():
    # As a build without PROJ has it.
    assert _crs_attributes("EPSG:2056", "") == {"spatial_ref": "EPSG:2056"}
    assert _crs_attributes('{"type": ["ProjectedCRS"]}', "") == {"spatial_ref": '{"type": ["ProjectedCRS"]}'}
    wkt = 'PROJCS["CH1903+ / LV95"]'
    assert _crs_attributes(wkt, "oblique") == {"grid_mapping_name": "oblique", "crs_wkt": wkt, "spatial_ref": wkt}


def test_maps_are_made_or_not_as_is_asked():
    config = CONFIGS / "first_map.toml"
    assert scree.run(config, samples=3, maps=25).scree.maps().attrs["cell"] == 25
    assert scree.run(config, samples=3, maps=True).scree.maps().sizes["x"] == 120
    none = scree.run(config, samples=3, no_maps=True)
    with pytest.raises(scree.ConfigError, match="this Dataset has no maps: maps=True"):
        none.scree.maps()
    assert scree.run(config, samples=3, maps=np.bool_(True)).scree.maps().attrs["cell"] == 5
    with pytest.raises(scree.ConfigError, match="^maps and no_maps exclude each other$"):
        scree.run(config, maps=True, no_maps=True)
    with pytest.raises(scree.ConfigError, match=r"^maps: maps.cell = -2, must be > 0"):
        scree.run(config, maps=-2)


def test_arms_have_maps_and_their_differences(tmp_path):
    found = scree.compare(CONFIGS / "first_map.toml", schemes=["implicit", "explicit"], samples=20, set=MAP,
                          out=tmp_path / "c.h5")
    first, other = (found.arms[name].scree.maps() for name in ("implicit", "explicit"))
    assert "difference_explicit" not in first
    reach = other.reach_probability.fillna(0) - first.reach_probability.fillna(0)
    drawn = other.difference_explicit
    np.testing.assert_allclose(drawn.values[drawn.notnull()], reach.values[drawn.notnull()], atol=1e-6)
    again = scree.open(tmp_path / "c.h5")
    assert again.arms["explicit"].scree.maps().identical(other)
