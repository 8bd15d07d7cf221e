// Mistakes of all kinds, as the program answers them: the exit code, the one line on stderr and nothing on stdout,
// without a signal and within 2 s. A message that ends with " ..." is shown up to there.

#include <iterator>
#include <map>
#include <string_view>

#include "program.hpp"

namespace scree {
namespace {

using std::string_view_literals::operator""sv;

/// Lines that take the place of those with the same key in a config of the system that is right, or follow them; !KEY
/// takes one away.
struct BadConfig {
  const char *system, *lines;
  const char* said;  // behind the name of the config
  int code = 2;
};
/// The same, and what the program warns of.
struct OddConfig {
  const char *system, *lines, *warning;
};
struct BadGrid {
  const char* was;
  std::string_view is;
  const char* said;
  int code = 3;
};
struct BadFile {
  const char* lines;  // of the config: 'NAME' is the file's name
  std::string_view content;
  const char* said;
  int code = 3;
};
struct BadText {
  std::string_view content;
  const char* said;
  int code = 2;
};
/// A command line, words in ' ' with blanks in them.
struct BadCommand {
  const char *words, *said;
  int code = 2;
};

/// What no TOML reader takes.
constexpr BadConfig syntax[] = {
    {"rock", "seed =", ":11: not valid TOML: Error while parsing key-value pair: expected value, saw '\\n'"},
    {"rock", "seed = = 3", ":11: not valid TOML: Error while parsing value: could not determine value type"},
    {"rock", "seed 3", ":11: not valid TOML: Error while parsing key-value pair: expected '=', saw '3'"},
    {"rock", "= 3",
     ":11: not valid TOML: Error while parsing root table: expected keys, tables, whitespace or comments, saw '='"},
    {"rock", "[rock", ":11: not valid TOML: Error while parsing table header: expected ']', saw '\\n'"},
    {"rock", "[rock]]",
     ":11: not valid TOML: Error while parsing table header: expected a comment or whitespace, saw ']'"},
    {"rock", "[[rock]", ":11: not valid TOML: Error while parsing table header: expected ']', saw '\\n'"},
    {"rock", "[]", ":11: not valid TOML: [ must be followed by the name of a table"},
    {"rock", "[.rock]", ":11: not valid TOML: [ must be followed by the name of a table"},
    {"rock", "[rock.]",
     ":11: not valid TOML: Error while parsing key: expected bare key starting character or string delimiter, saw ']'"},
    {"rock", R"(title = "open)",
     ":11: not valid TOML: a text has no closing quote on its line, or a control character in it"},
    {"rock", "title = 'open",
     ":11: not valid TOML: a text has no closing quote on its line, or a control character in it"},
    {"rock", R"(title = """open)", ":11: not valid TOML: Error while parsing string: encountered end-of-file"},
    {"rock", R"(title = "a\q")", ":11: not valid TOML: Error while parsing string: unknown escape sequence '\\q'"},
    {"rock", R"(title = "\ud800")",
     ":11: not valid TOML: Error while parsing unicode scalar sequence: unicode surrogates (U+D800 - U+DFFF) are "
     "explicitly prohibited"},
    {"rock", "shape.size = [1, 2",
     ":10: not valid TOML: Error while parsing array: expected comma or closing ']', saw 's'"},
    {"rock", "start = { speed = 1",
     ":11: not valid TOML: Error while parsing inline table: expected key or closing '}', saw '\\n'"},
    {"rock", "start = { speed = 1, }",
     ":11: not valid TOML: Error while parsing inline table: expected key-value pair, saw closing '}' (dangling "
     "comma)"},
    {"rock", "system = 1\nsystem = 2", ":1: system = 2, must be a text in quotes"},
    {"rock", "seed = 0123", ":11: not valid TOML: Error while parsing decimal integer: leading zeroes are prohibited"},
    {"rock", "seed = 1__0",
     ":11: not valid TOML: Error while parsing decimal integer: underscores may only follow digits"},
    {"rock", "step = .5", ":4: not valid TOML: Error while parsing floating-point: expected decimal digit, saw '.'"},
    {"rock", "step = 5.", ":4: not valid TOML: Error while parsing floating-point: expected decimal digit, saw '\\n'"},
    {"rock", "step = 1e", ":4: not valid TOML: Error while parsing floating-point: expected decimal digit, saw '\\n'"},
    {"rock", "step = 0.01s", ":4: not valid TOML: Error while parsing floating-point: expected decimal digit, saw 's'"},
    {"rock", "step = 0,01",
     ":4: not valid TOML: Error while parsing key-value pair: expected a comment or whitespace, saw ','"},
    {"rock", "samples = 1 000",
     ":3: not valid TOML: Error while parsing key-value pair: expected a comment or whitespace, saw '0'"},
    {"rock", "samples = 1,000",
     ":3: not valid TOML: Error while parsing key-value pair: expected a comment or whitespace, saw ','"},
    {"rock", "strict = True", ":11: not valid TOML: Error while parsing boolean: expected 'true', saw 'T'"},
    {"rock", "strict = yes", ":11: not valid TOML: Error while parsing value: could not determine value type"},
    {"rock", "step = 80'\357\264\212",
     ":4: not valid TOML: Error while parsing decimal integer: expected digit, saw '''"},
    {"rock", "gr\303\266\303\237e = 3", ":11: a key or a value has a letter beyond ASCII, put it in quotes"},
    {"rock", "rock.ground = weich", ":11: not valid TOML: Error while parsing value: could not determine value type"},
    {"rock", "rock.ground = \"s\303\266ft\"", ":11: rock.ground = \"s\303\266ft\", did you mean \"soft\"?"},
    {"rock", "title = 1979-05-27", ":11: title = 1979-05-27, must be a text in quotes"},
    {"rock", "{}",
     ":11: not valid TOML: Error while parsing root table: expected keys, tables, whitespace or comments, saw '{'"},
    {"rock", "step = 0.01 end = 1",
     ":4: not valid TOML: Error while parsing key-value pair: expected a comment or whitespace, saw 'e'"},
    {"rock", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.a.b.c.d.e.f.g = 1", ":11: a key has too many parts"},
};

/// Keys of the top, and of tables beside the system's: wrong types, numbers and names.
constexpr BadConfig types[] = {
    {"rock", "system = rock", ":1: not valid TOML: Error while parsing value: could not determine value type"},
    {"rock", "system = 3", ":1: system = 3, must be a text in quotes"},
    {"rock", "system = ['rock']", R"(:1: system = ["rock"], must be a text in quotes)"},
    {"rock", "system = ''",
     ":1: system = \"\", must be one of balls, coulomb, disc_box, disk, hard_discs, pair, projectile, rock, rotor, "
     "scatter, slider"},
    {"rock", "system = 'Rock'", R"(:1: system = "Rock", did you mean "rock"?)"},
    {"rock", "system = 'rocks'", R"(:1: system = "rocks", did you mean "rock"?)"},
    {"rock", "system = 'landslide'",
     ":1: system = \"landslide\", must be one of balls, coulomb, disc_box, disk, hard_discs, pair, projectile, rock, "
     "rotor, scatter, slider"},
    {"rock", "scheme = 4", ":2: scheme = 4, must be a text in quotes"},
    {"rock", "scheme = []", ":2: scheme = [], must be one or several of explicit, implicit, implicit_cay, rk4"},
    {"rock", "scheme = ['implicit', 4]", ":2: scheme = 4, must be a text in quotes"},
    {"rock", "scheme = ['implicit', 'implicit']", R"(:2: scheme "implicit" is named twice)"},
    {"rock", "scheme = 'Implicit'", R"(:2: scheme = "Implicit", did you mean "implicit"?)"},
    {"rock", "scheme = 'verlet'", R"(:2: scheme = "verlet", must be one of explicit, implicit, implicit_cay, rk4)"},
    {"rock", "scheme = { name = 'implicit' }", R"(:2: scheme = { name = "implicit" }, must be a text in quotes)"},
    {"rock", "samples = 0", ":3: samples = 0, must be a whole number >= 1"},
    {"rock", "samples = -4", ":3: samples = -4, must be a whole number >= 1"},
    {"rock", "samples = 4.0", ":3: samples = 4, must be a whole number >= 1, without a point or an exponent"},
    {"rock", "samples = 4.5", ":3: samples = 4.5, must be a whole number >= 1"},
    {"rock", "samples = 1e3", ":3: samples = 1000, must be a whole number >= 1, without a point or an exponent"},
    {"rock", "samples = '4'", R"(:3: samples = "4", must be a whole number >= 1)"},
    {"rock", "samples = true", ":3: samples = true, must be a whole number >= 1"},
    {"rock", "samples = 9223372036854775808",
     ":3: not valid TOML: Error while parsing decimal integer: '9223372036854775808' is not representable in 64 bits"},
    {"rock", "samples = nan", ":3: samples = nan, must be a whole number >= 1"},
    {"rock", "seed = -1", ":11: seed = -1, must be a whole number >= 0"},
    {"rock", "seed = 1.0", ":11: seed = 1, must be a whole number >= 0, without a point or an exponent"},
    {"rock", "seed = 99999999999999999999",
     ":11: not valid TOML: Error while parsing decimal integer: '99999999999999999999' is not representable in 64 "
     "bits"},
    {"rock", "seed = 'one'", R"(:11: seed = "one", must be a whole number >= 0)"},
    {"rock", "step = 0", ":4: step = 0, must be > 0 (s)"},
    {"rock", "step = -0.01", ":4: step = -0.01, must be > 0 (s)"},
    {"rock", "step = nan", ":4: step = nan, must be a finite number (s)"},
    {"rock", "step = inf", ":4: step = inf, must be a finite number (s)"},
    {"rock", "step = '0.01'", R"(:4: step = "0.01", must be a number)"},
    {"rock", "step = [0.01]", ":4: step = [0.01], must be a number"},
    {"rock", "step = 2.0", ":4: step = 2, must be <= end = 1 (s)"},
    {"rock", "step = 1e-300", ":4: step = 1e-300, must be >= 1.110e-16 (s): no clock counts more than 2^53 steps"},
    {"rock", "step = 5e-324", ":4: step = 5e-324, must be >= 1.110e-16 (s): no clock counts more than 2^53 steps"},
    {"rock", "step = 1e400",
     ":4: not valid TOML: Error while parsing floating-point: '1e400' could not be interpreted as a value"},
    {"rock", "step = true", ":4: step = true, must be a number"},
    {"rock", "end = 0", ":5: end = 0, must be > 0 (s)"},
    {"rock", "end = -1.0", ":5: end = -1, must be > 0 (s)"},
    {"rock", "end = inf", ":5: end = inf, must be a finite number (s)"},
    {"rock", "end = 1e301", ":5: end = 1e+301, must be a number of at most 1e60 in size (s)"},
    {"rock", "end = '1 min'", R"(:5: end = "1 min", must be a number)"},
    {"rock", "end = 00:01:00", ":5: end = 00:01:00, must be a number"},
    {"rock", "strict = 1", ":11: strict = 1, must be true or false"},
    {"rock", "strict = 'yes'", R"(:11: strict = "yes", must be true or false)"},
    {"rock", "title = 3", ":11: title = 3, must be a text in quotes"},
    {"rock", "title = ['a']", R"(:11: title = ["a"], must be a text in quotes)"},
    {"rock", R"(title = "a\u0007b")", R"(:11: title = "a\x07b", must be a text of UTF-8 without control characters)"},
    {"rock", "title = 'a\nb'",
     ":11: not valid TOML: a text has no closing quote on its line, or a control character in it"},
    {"rock", "sampling = 'halton'", R"(:11: sampling = "halton", must be one of random, sobol)"},
    {"rock", "sampling = 'Sobol'", R"(:11: sampling = "Sobol", did you mean "sobol"?)"},
    {"rock", "sampling = 1", ":11: sampling = 1, must be a text in quotes"},
    {"rock", "replicates = 16", R"(:11: replicates = 16, but sampling is "random": it belongs to sampling = "sobol")"},
    {"rock", "sampling = 'sobol'", R"(:11: sampling = "sobol", but no law of [vary] draws anything)"},
    {"rock", "sampling = 'sobol'\nreplicates = 1\nvary.orientation = 'uniform'",
     ":12: replicates = 1, must be a whole number >= 2"},
    {"rock", "sampling = 'sobol'\nreplicates = 1025\nvary.orientation = 'uniform'",
     ":12: replicates = 1025, must be a whole number from 2 to 1024"},
    {"rock", "sampling = 'sobol'\nreplicates = 2.5\nvary.orientation = 'uniform'",
     ":12: replicates = 2.5, must be a whole number >= 2"},
    {"rock", "sampling = 'sobol'\nsamples = 9000000000000000\nvary.orientation = 'uniform'",
     ":3: samples = 9000000000000000, must be <= 68719476736, 2^32 Sobol points in each of 16 replicates"},
    {"rock", "columns = 'runuot'", R"(:11: columns = "runuot", did you mean "runout"?)"},
    {"rock", "columns = ['runout', 'runout']", R"(:11: column "runout" is named twice)"},
    {"rock", "columns = ['runout', 3]", ":11: columns = 3, must be a text in quotes"},
    {"rock", "columns = 3", ":11: columns = 3, must be a text in quotes"},
    {"projectile", "columns = []", ":6: columns = [], must be one or several of range, flight_time, ..."},
    {"rock", "group_by = 'mass'", R"(:11: group_by = "mass", must be one of shape)"},
    {"rock", "group_by = true", ":11: group_by = true, must be a text in quotes"},
    {"rock", "group_by = ['shape']", R"(:11: group_by = ["shape"], must be a text in quotes)"},
    {"slider", "group_by = 'shape'",
     ":8: unknown key group_by, known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, "
     "title, columns, slider, terrain, maps, gate, barrier, forest, start, vary, observed, published, sensitivity, "
     "margin"},
    {"rock", "rock = 3", ":11: rock = 3, must be a table of named values"},
    {"rock", "rock = []", ":11: rock = [], must be a table of named values"},
    {"rock", "rock = 'hard'", R"(:11: rock = "hard", must be a table of named values)"},
    {"rock", "start = 3", ":11: start = 3, must be a table of named values"},
    {"rock", "barrier = 3", ":11: barrier = 3, must be a list in [ ]"},
    {"rock", "barrier = [3]", ":11: barrier = 3, must be a table of named values"},
    {"balls", "barrier = [{ name = 'a', x = 1, height = 4 }]",
     ":6: barrier: the system balls has no barriers; rock and slider have"},
    {"rock", "vary = 3", ":11: vary = 3, must be a table of named values"},
    {"rock", "vary = 'uniform'", R"(:11: vary = "uniform", must be a table of named values)"},
    {"rock", "margin = 2", ":11: margin = 2, must be a table of named values"},
    {"rock", "margin.runout = 0", ":11: margin.runout = 0, must be > 0 (m)"},
    {"rock", "margin.runout = -1", ":11: margin.runout = -1, must be > 0 (m)"},
    {"rock", "margin.runout = '2 m'", R"(:11: margin.runout = "2 m", must be a number)"},
    {"rock", "margin.run_out = 1", ":11: unknown key margin.run_out, did you mean margin.runout?"},
    {"rock", "observed = 'file.csv'", R"(:11: observed = "file.csv", must be a table of named values)"},
    {"rock", "observed.table = 'o.csv'",
     ":11: observed.table = \"o.csv\", there is no file o.csv (SCREE_DATA, the folder of data files, is not set)", 3},
    {"rock", "sensitivity.key = 'rock.ground'", R"(:11: sensitivity.values is missing, must be a list, or "all")"},
    {"rock", "sensitivity.key = 'rock.ground'\nsensitivity.values = []",
     ":12: sensitivity.values = [], must be a list of at least one value"},
    {"rock", "sensitivity.key = 'rock.ground'\nsensitivity.values = 'every'",
     ":12: sensitivity.values = \"every\", must be a list of extra soft, soft, medium soft, medium, medium hard, hard, "
     "extra hard, snow, scree slope, hard scree, alpine meadow, or \"all\""},
    {"rock", "sensitivity.key = 'rock.ground'\nsensitivity.values = ['soft', 'sand']",
     R"(:12: sensitivity.values = "sand", did you mean "hard"?)"},
    {"rock", "sensitivity.key = 'rock.grond'\nsensitivity.values = 'all'",
     R"(:11: sensitivity.key = "rock.grond", did you mean "rock.ground"?)"},
    {"rock", "sensitivity.key = 'rock.drag'\nsensitivity.values = 'all'",
     R"(:12: sensitivity.values = "all", must be a list in [ ])"},
    {"rock", "sensitivity.key = 'rock.drag'\nsensitivity.values = [0.1, -0.1]",
     ":12: sensitivity.values = -0.1, must be >= 0 (1/s)"},
    {"rock", "sensitivity.key = 'start.speed'\nsensitivity.values = [1, 2]",
     ":11: sensitivity.key = \"start.speed\", must be one of rock.ground, rock.gravity, rock.friction_min, "
     "rock.friction_max, rock.scar_decay, ..."},
    {"rock", "sensitivity.values = [1, 2]",
     ":11: sensitivity.key is missing, must be a preset or a parameter, as rock.ground"},
    {"rock", "published.source = 'A'", ":11: published.row is missing, must be one or several [[published.row]]"},
    {"rock", "published.source = 'A'\npublished.row = []",
     ":12: published.row = [], must be one or several [[published.row]]"},
    {"rock", "published.source = 'A'\npublished.row = [{ column = 'runout' }]",
     ":12: published.row.scheme is missing, must be one of explicit, implicit, implicit_cay, rk4"},
    {"rock", "published.source = 'A'\npublished.row = [{ column = 'run', scheme = 'rk4', mean = 1, sd = 1 }]",
     R"(:12: published.row.column = "run", did you mean "runout"?)"},
    {"rock", "published.source = 'A'\npublished.row = [{ column = 'runout', scheme = 'rk5', mean = 1, sd = 1 }]",
     R"(:12: published.row.scheme = "rk5", did you mean "rk4"?)"},
    {"rock", "published.source = 'A'\npublished.row = [{ column = 'runout', scheme = 'rk4', mean = 1, sd = -1 }]",
     ":12: published.row.sd = -1, must be >= 0"},
    {"rock",
     "published.source = 'A'\npublished.row = [{ column = 'runout', scheme = 'rk4', mean = 1, sd = 1, scale = 0 }]",
     ":12: published.row.scale = 0, must be > 0"},
    {"rock",
     "published.source = 'A'\npublished.samples = 1\npublished.row = [{ column = 'runout', scheme = 'rk4', mean = 1, "
     "sd = 1 }]",
     ":12: published.samples = 1, must be a whole number >= 2"},
};

/// Keys that are unknown, misspelt, of another system, or missing.
constexpr BadConfig keys[] = {
    {"rock", "sample = 4", ":11: unknown key sample, did you mean samples?"},
    {"rock", "stepp = 0.01", ":11: unknown key stepp, did you mean step?"},
    {"rock", "END = 4",
     ":11: unknown key END, known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, title, "
     "columns, group_by, rock, terrain, ground, ..."},
    {"rock", "schema = 'x'", ":11: unknown key schema, did you mean scheme?"},
    {"rock", "colour = 'red'",
     ":11: unknown key colour, known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, "
     "title, columns, group_by, rock, terrain, ground, ..."},
    {"rock", "rock.fricton_min = 0.3", ":11: unknown key rock.fricton_min, did you mean rock.friction_min?"},
    {"rock", "rock.friction = 0.3", ":11: unknown key rock.friction, did you mean rock.friction_min?"},
    {"rock", "rock.mu = 0.3",
     ":11: unknown key rock.mu, known here: ground, gravity, friction_min, friction_max, scar_decay, scar_growth, "
     "restitution, drag, soil_strength, ..."},
    {"rock", "rock.Ground = 'soft'", ":11: unknown key rock.Ground, did you mean rock.ground?"},
    {"rock", "rocks.ground = 'soft'", ":11: unknown key rocks, did you mean rock?"},
    {"rock", "slider.friction = 0.3",
     ":11: unknown key slider, known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, "
     "title, columns, group_by, rock, terrain, ground, ..."},
    {"rock", "start.sped = 3", ":11: unknown key start.sped, did you mean start.speed?"},
    {"rock", "start.velocity_x = 3", ":11: unknown key start.velocity_x, did you mean start.velocity?"},
    {"rock", "start.velocity.x = 3", ":11: start.velocity = { x = 3 }, must be a list in [ ]"},
    {"rock", "start.columns = { speed = 'v' }", ":11: start.columns names columns of start.table, which is not given"},
    {"rock", "terrain.slop = 30", ":11: unknown key terrain.slop, did you mean terrain.slope?"},
    {"rock", "terrain.heigth = 30", ":11: unknown key terrain.heigth, did you mean terrain.height?"},
    {"rock", "terrain.file = 'a.asc'", ":11: unknown key terrain.file, known here: kind, slope, height, note, ground"},
    {"rock", "shape.masss = 3", ":11: unknown key shape.masss, did you mean shape.mass?"},
    {"rock", "shape.file = 'a.obj'", R"(:11: shape.file belongs to kind = "file", not to "cuboid")"},
    {"rock", "shape.radius = 3",
     ":11: unknown key shape.radius, known here: name, kind, file, points, scale, size, corners, seed, variants, mass, "
     "density, inertia"},
    {"rock", "vary.start.sped = { uniform = [1, 2] }", ":11: unknown key vary.start.sped, did you mean start.speed?"},
    {"rock", "vary.speed = { unifrom = [1, 2] }", R"(:11: unknown law vary.speed.unifrom, did you mean "uniform"?)"},
    {"rock", "vary.step = { uniform = [1, 2] }", ":11: unknown key vary.step, did you mean start.gap?"},
    {"rock", "vary.samples = { choice = [1, 2] }", ":11: unknown key vary.samples, did you mean start.speed?"},
    {"rock", "sampling.kind = 'sobol'", R"(:11: sampling = { kind = "sobol" }, must be a text in quotes)"},
    {"rock", "title.text = 'x'", R"(:11: title = { text = "x" }, must be a text in quotes)"},
    {"rock", "'' = 3",
     ":11: unknown key \"\", known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, "
     "title, columns, group_by, rock, terrain, ground, ..."},
    {"rock", "'a b' = 3",
     ":11: unknown key a b, known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, title, "
     "columns, group_by, rock, terrain, ground, ..."},
    {"rock", "observed.tabel = 'o.csv'", ":11: unknown key observed.tabel, did you mean observed.table?"},
    {"rock", "published.src = 'A'", ":11: published.source is missing, must be where the numbers were published"},
    {"rock", "sensitivity.keys = ['a']", ":11: unknown key sensitivity.keys, did you mean sensitivity.key?"},
    {"rock", "!system",
     ": system is missing, must be one of balls, coulomb, disc_box, disk, hard_discs, pair, projectile, rock, rotor, "
     "scatter, slider"},
    {"rock", "!scheme", ": scheme is missing, must be one or several of explicit, implicit, implicit_cay, rk4"},
    {"rock", "!samples", ": samples is missing, must be a whole number >= 1"},
    {"rock", "!step", ": step is missing, must be a time > 0 (s)"},
    {"rock", "!end", ": end is missing, must be a time > 0 (s)"},
    {"rock", "!terrain.kind", ":6: terrain.kind is missing, must be one of plane, ramp, grid"},
    {"rock", "!terrain.slope",
     ":6: terrain.slope is missing, must be the angle by which it falls along +x >= 0 and < 90 (degrees)"},
    {"rock", "!terrain.kind\n!terrain.slope",
     ": terrain is missing, must be a table with kind = one of plane, ramp, grid"},
    {"rock", "!shape.kind",
     ":8: shape.kind is missing, must be one of cuboid, ellipsoid, eota, octahedron, irregular, file, points"},
    {"rock", "!shape.size", ":8: shape.size is missing, must be [x, y, z] (m)"},
    {"rock", "!shape.mass", ":8: shape.mass is missing, must be a mass (kg), or shape.density a density (kg/m^3)"},
    {"rock", "!shape.kind\n!shape.size\n!shape.mass",
     ": shape is missing, must be at least one [[shape]] with kind, size and mass"},
    {"rock", "rock.'' = 3",
     ":11: unknown key rock.\"\", known here: ground, gravity, friction_min, friction_max, scar_decay, scar_growth, "
     "restitution, drag, soil_strength, ..."},
};

/// Parameters and starts of all systems beyond what they may be, alone or together.
constexpr BadConfig values[] = {
    {"balls", "balls.balls = 0", ":6: balls.balls = 0, must be a whole number >= 1"},
    {"balls", "balls.balls = 65", ":6: balls.balls = 65, must be a whole number >= 1 and <= 64"},
    {"balls", "balls.balls = 2.5", ":6: balls.balls = 2.5, must be a whole number >= 1"},
    {"balls", "balls.left = 1.0", ":6: balls: left must be less than right, in sample 0"},
    {"balls", "balls.left = 2.0", ":6: balls: left must be less than right, in sample 0"},
    {"balls", "balls.restitution = 1.5", ":6: balls.restitution = 1.5, must be >= 0 and <= 1 (dimensionless)"},
    {"balls", "balls.wall_restitution = -0.1",
     ":6: balls.wall_restitution = -0.1, must be >= 0 and <= 1 (dimensionless)"},
    {"balls", "balls.guard_time = -1.0", ":6: balls.guard_time = -1, must be >= 0 (s)"},
    {"balls", "balls.placement = 'random'", R"(:6: balls.placement = "random", must be one of given, even)"},
    {"balls", "balls.radius = 0.0", ":6: balls.radius = 0, must be > 0 (m)"},
    {"balls", "balls.radius = 0.2",
     ":6: balls: radius: the balls do not fit between the walls, which are apart by 1 (m), in sample 0"},
    {"balls", "balls.radius = [0.02, 0.02]",
     ":6: balls.radius = [0.02, 0.02], must be a number for all bodies, or a list of 3 of them (m)"},
    {"balls", "balls.mass = -1.0", ":6: balls.mass = -1, must be > 0 (kg)"},
    {"balls", "balls.mass = [1.0, 2.0, 0.0]", ":6: balls.mass = 0, must be > 0 (kg)"},
    {"balls", "balls.placement = 'given'",
     ": balls: start.position: the first ball reaches beyond the left wall, in sample 0"},
    {"balls", "balls.placement = 'given'\nstart.position = [0.5, 0.5, 0.5]",
     ":7: balls: start.position: two balls overlap, in sample 0"},
    {"balls", "balls.placement = 'given'\nstart.position = [0.2, 0.5, 1.5]",
     ":7: balls: start.position: the last ball reaches beyond the right wall, in sample 0"},
    {"balls", "balls.placement = 'given'\nstart.position = [0.9, 0.5, 0.1]",
     ":7: balls: start.position: the balls must be given from left to right, in sample 0"},
    {"balls", "start.position = [0.2, 0.5, 0.8]",
     ":6: balls: start.position has no use where placement is even: set balls.placement = \"given\", in sample 0"},
    {"balls", "start.velocity = 'fast'", R"(:6: start.velocity = "fast", must be a number)"},
    {"balls", "start.velocity = [1.0, 2.0, inf]", ":6: start.velocity = inf, must be a finite number (m/s)"},
    {"balls", "vary.velocity[3] = { uniform = [0, 1] }",
     ":6: not valid TOML: Error while parsing key-value pair: expected '=', saw '['"},
    {"balls", "vary.'velocity[3]' = { uniform = [0, 1] }",
     ":6: unknown key vary.velocity[3], did you mean start.velocity?"},
    {"balls", "terrain.kind = 'plane'",
     ":6: unknown key terrain, known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, "
     "title, columns, balls, start, vary, observed, published, sensitivity, margin"},
    {"balls", "balls.mass = 1e200", ":6: balls.mass = 1e+200, must be a number of at most 1e60 in size (kg)"},
    {"balls", "start.velocity = 1e200", ":6: start.velocity = 1e+200, must be a number of at most 1e60 in size (m/s)"},
    {"coulomb", "coulomb.bodies = 0", ":7: coulomb.bodies = 0, must be a whole number >= 1"},
    {"coulomb", "coulomb.bodies = 17", ":7: coulomb.bodies = 17, must be a whole number >= 1 and <= 16"},
    {"coulomb", "coulomb.bodies = 3",
     ":6: start.position = [[-1, 0], [1, 0]], must be a list of 2 numbers for all bodies, or a list of 3 of them (m)"},
    {"coulomb", "coulomb.interaction = 'magnetic'",
     R"(:7: coulomb.interaction = "magnetic", must be one of coulomb, gravity, matrix)"},
    {"coulomb", "coulomb.gravitation = -1", ":7: coulomb.gravitation = -1, must be >= 0 (m^3/(kg s^2))"},
    {"coulomb", "coulomb.coulomb = -1", ":7: coulomb.coulomb = -1, must be >= 0 (N m^2/C^2)"},
    {"coulomb", "coulomb.softening = -0.1", ":7: coulomb.softening = -0.1, must be >= 0 (m)"},
    {"coulomb", "coulomb.close = -0.1", ":7: coulomb.close = -0.1, must be >= 0 (m)"},
    {"coulomb", "coulomb.mass = -1", ":7: coulomb.mass = -1, must be >= 0 (kg)"},
    {"coulomb", "coulomb.mass = 0", ":7: coulomb: a body with a charge must have a mass > 0, in sample 0"},
    {"coulomb", "coulomb.mass = [1, 2, 3]",
     ":7: coulomb.mass = [1, 2, 3], must be a number for all bodies, or a list of 2 of them (kg)"},
    {"coulomb", "coulomb.charge = 'e'", R"(:7: coulomb.charge = "e", must be a number)"},
    {"coulomb", "coulomb.A1 = [1, 2]", ": coulomb: A: a body does not act on itself, A_ii must be 0, in sample 0"},
    {"coulomb", "coulomb.interaction = 'matrix'\ncoulomb.A0 = [0, 1]",
     ": coulomb: A violates the third law: mass_i A_ij must be mass_j A_ji, in sample 0"},
    {"coulomb", "coulomb.A17 = 3", ":7: unknown key coulomb.A17, did you mean coulomb.A1?"},
    {"coulomb", "start.position = [0.0, 0.0]",
     ":6: coulomb: start.position: two bodies are at the same place, in sample 0"},
    {"coulomb", "start.position = [[0.0, 0.0], [0.0, 0.0]]",
     ":6: coulomb: start.position: two bodies are at the same place, in sample 0"},
    {"coulomb", "start.position = [[0.0], [1.0]]", ":6: start.position = [0], must be a list of 2 numbers (m)"},
    {"coulomb", "start.velocity = [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]",
     ":7: start.velocity = [1, 0, 0], must be a list of 2 numbers (m/s)"},
    {"coulomb", "coulomb.G = 6.67e-11", ":7: unknown key coulomb.G, did you mean coulomb.A0?"},
    {"coulomb", "start.velocity = 5",
     ":7: start.velocity = 5, must be a list of 2 numbers for all bodies, or a list of 2 of them (m/s)"},
    {"disc_box", "disc_box.discs = 65", ":6: disc_box.discs = 65, must be a whole number >= 1 and <= 64"},
    {"disc_box", "disc_box.discs = 0", ":6: disc_box.discs = 0, must be a whole number >= 1"},
    {"disc_box", "disc_box.radius = -1", ":6: disc_box.radius = -1, must be > 0 (m)"},
    {"disc_box", "disc_box.radius = 6",
     ":6: disc_box: radius: a disc has no room to move in the circle of wall_radius 5 (m), in sample 0"},
    {"disc_box", "disc_box.mass = 0", ":6: disc_box.mass = 0, must be > 0 (kg)"},
    {"disc_box", "disc_box.observer_mass = -1", ":6: disc_box.observer_mass = -1, must be >= 0 (kg)"},
    {"disc_box", "disc_box.observer_offset = 1.0",
     ":6: disc_box.observer_offset = 1, must be >= 0 and < 1 (dimensionless)"},
    {"disc_box", "disc_box.inertia_factor = 0", ":6: disc_box.inertia_factor = 0, must be > 0 (dimensionless)"},
    {"disc_box", "disc_box.enclosure = 'triangle'",
     R"(:6: disc_box.enclosure = "triangle", must be one of rectangle, circle)"},
    {"disc_box", "disc_box.wall_radius = 0", ":6: disc_box.wall_radius = 0, must be > 0 (m)"},
    {"disc_box", "disc_box.wall_radius = 0.5",
     ":6: disc_box: radius: a disc has no room to move in the circle of wall_radius 0.5 (m), in sample 0"},
    {"disc_box", "disc_box.width = -10", ":6: disc_box.width = -10, must be > 0 (m)"},
    {"disc_box", "disc_box.enclosure = 'rectangle'\ndisc_box.height = 1.0",
     ": disc_box: radius: a disc has no room to move in the rectangle, whose lesser side is 1 (m), in sample 0"},
    {"disc_box", "disc_box.youngs_modulus = 0", ":6: disc_box.youngs_modulus = 0, must be > 0 (Pa)"},
    {"disc_box", "disc_box.poisson_ratio = 0.6",
     ":6: disc_box.poisson_ratio = 0.6, must be > -1 and <= 0.5 (dimensionless)"},
    {"disc_box", "disc_box.poisson_ratio = -1",
     ":6: disc_box.poisson_ratio = -1, must be > -1 and <= 0.5 (dimensionless)"},
    {"disc_box", "disc_box.c_tau = 0", ":6: disc_box.c_tau = 0, must be > 0 and <= 1 (dimensionless)"},
    {"disc_box", "disc_box.c_tau = 1.5", ":6: disc_box.c_tau = 1.5, must be > 0 and <= 1 (dimensionless)"},
    {"disc_box", "disc_box.penetration = 2", ":6: disc_box.penetration = 2, must be > 0 and <= 1 (dimensionless)"},
    {"disc_box", "disc_box.latch = 'yes'", R"(:6: disc_box.latch = "yes", must be one of script, onset)"},
    {"disc_box", "disc_box.onset_floor = 0", ":6: disc_box.onset_floor = 0, must be > 0 (m/s)"},
    {"disc_box", "disc_box.friction = -0.1", ":6: disc_box.friction = -0.1, must be >= 0 (s/m or 1)"},
    {"disc_box", "disc_box.wall_friction = 'rough'", R"(:6: disc_box.wall_friction = "rough", must be a number)"},
    {"disc_box", "disc_box.friction_law = 'dry'",
     R"(:6: disc_box.friction_law = "dry", must be one of viscous, coulomb)"},
    {"disc_box", "disc_box.slip_speed = 0", ":6: disc_box.slip_speed = 0, must be > 0 (m/s)"},
    {"disc_box", "disc_box.friction_force = -1", ":6: disc_box.friction_force = -1, must be >= 0 (dimensionless)"},
    {"disc_box", "disc_box.wall_arm = 'meter'", R"(:6: disc_box.wall_arm = "meter", did you mean "metre"?)"},
    {"disc_box", "disc_box.placement = 'given'", ": disc_box: start.position: two discs overlap, in sample 0"},
    {"disc_box", "disc_box.placement = 'grid'", R"(:6: disc_box.placement = "grid", must be one of given, random)"},
    {"disc_box", "disc_box.gap = -0.1", ":6: disc_box.gap = -0.1, must be >= 0 (m)"},
    {"disc_box", "disc_box.gap = 10.0",
     ":6: disc_box: gap: it leaves a disc no room to move in the circle of wall_radius 5 (m), in sample 0"},
    {"disc_box", "disc_box.preset = 'corected'", R"(:6: disc_box.preset = "corected", did you mean "corrected"?)"},
    {"disc_box", "disc_box.discs = 40",
     ":6: disc_box: radius: the discs are too dense for random places, which equal discs find up to a covered fraction "
     "of 0.547, in sample 0"},
    {"disc_box", "disc_box.placement = 'given'\nstart.position = [[-2.0, 0.0], [2.0, 0.0], [40.0, 0.0]]",
     ":7: disc_box: start.position: a disc reaches beyond the wall, in sample 0"},
    {"disk", "disk.nodes = 0", ":6: disk.nodes = 0, must be a whole number >= 1"},
    {"disk", "disk.nodes = 1", ":6: disk: refinement must be at most N = nodes - 1, that is 1, in sample 0"},
    {"disk", "disk.nodes = 2", ":6: disk: refinement must be at most N = nodes - 1, that is 1, in sample 0"},
    {"disk", "disk.nodes = 5000", ":6: disk.nodes = 5000, must be a whole number >= 1 and <= 2001"},
    {"disk", "disk.nodes = 10.5", ":6: disk.nodes = 10.5, must be a whole number >= 1"},
    {"disk", "disk.geometry = 'sphere'", R"(:6: disk.geometry = "sphere", must be one of slab, disk)"},
    {"disk", "disk.refinement = 0.5", ":6: disk.refinement = 0.5, must be >= 1 (dimensionless)"},
    {"disk", "disk.mesh = 'even'", R"(:6: disk.mesh = "even", must be one of front, centre)"},
    {"disk", "disk.stepping = 'auto'", R"(:6: disk.stepping = "auto", must be one of fixed, adaptive)"},
    {"disk", "disk.courant = 0", ":6: disk.courant = 0, must be > 0 and <= 1 (dimensionless)"},
    {"disk", "disk.courant = 1.1", ":6: disk.courant = 1.1, must be > 0 and <= 1 (dimensionless)"},
    {"disk", "disk.growth = 0", ":6: disk.growth = 0, must be > 0 and <= 1 (dimensionless)"},
    {"disk", "disk.g_over_m = 0", ":6: disk.g_over_m = 0, must be > 0 (m^(d+2)/s^2)"},
    {"disk", "disk.cells = 5", ":6: disk.cells = 5, must be a list in [ ]"},
    {"disk", "disk.cells = [1, 2]",
     ": disk: cells must have one number for each of the nodes, that is 101, in sample 0"},
    {"disk", "disk.cells = [1, 0]", ":6: disk.cells = 0, must be > 0 (dimensionless)"},
    {"disk", "disk.positions = [1, 2]",
     ": disk: positions must have one number for each of the nodes, that is 101, in sample 0"},
    {"disk", "disk.positions = [2, 1]\ndisk.velocities = [1, 2]",
     ": disk: positions must have one number for each of the nodes, that is 101, in sample 0"},
    {"disk", "disk.positions = [1, 2]\ndisk.velocities = [1]",
     ": disk: positions must have one number for each of the nodes, that is 101, in sample 0"},
    {"disk", "disk.velocities = [1, 2]",
     ": disk: velocities must have one number for each of the nodes, that is 101, in sample 0"},
    {"disk", "start.radius = 0", ":6: start.radius = 0, must be > 0 (m)"},
    {"disk", "start.speed = -1", ":6: start.speed = -1, must be > 0 (m/s)"},
    {"disk", "start.time = 0", ":6: start.time = 0, must be > 0 (s)"},
    {"disk", "start.cell_noise = 0.2", ":6: start.cell_noise = 0.2, must be >= 0 and <= 0.1 (dimensionless)"},
    {"disk", "start.velocity_noise = -0.1", ":6: start.velocity_noise = -0.1, must be >= 0 and <= 0.1 (dimensionless)"},
    {"disk", "disk.stepping = 'fixed'\nstep = 0.5",
     ":4: step = 0.5, must be <= 0.0173169 (s), beyond which rk4 is unstable, in sample 0"},
    {"hard_discs", "hard_discs.discs = 0", ":6: hard_discs.discs = 0, must be a whole number >= 1"},
    {"hard_discs", "hard_discs.discs = 100", ":6: hard_discs.discs = 100, must be a whole number >= 1 and <= 64"},
    {"hard_discs", "hard_discs.enclosure = 'sphere'",
     R"(:6: hard_discs.enclosure = "sphere", must be one of rectangle, circle)"},
    {"hard_discs", "hard_discs.wall_radius = -1", ":6: hard_discs.wall_radius = -1, must be > 0 (m)"},
    {"hard_discs", "hard_discs.width = 0", ":6: hard_discs.width = 0, must be > 0 (m)"},
    {"hard_discs", "hard_discs.height = 0.03",
     ": hard_discs: radius: a disc has no room to move in the rectangle, whose lesser side is 0.03 (m), in sample 0"},
    {"hard_discs", "hard_discs.restitution = 2",
     ":6: hard_discs.restitution = 2, must be >= 0 and <= 1 (dimensionless)"},
    {"hard_discs", "hard_discs.wall_restitution = 'e'", R"(:6: hard_discs.wall_restitution = "e", must be a number)"},
    {"hard_discs", "hard_discs.guard_time = -1", ":6: hard_discs.guard_time = -1, must be >= 0 (s)"},
    {"hard_discs", "hard_discs.placement = 'given'", ": hard_discs: start.position: two discs overlap, in sample 0"},
    {"hard_discs", "hard_discs.gap = -1", ":6: hard_discs.gap = -1, must be >= 0 (m)"},
    {"hard_discs", "hard_discs.gap = 1",
     ":6: hard_discs: gap: it leaves a disc no room to move in the rectangle, whose lesser side is 1 (m), in sample 0"},
    {"hard_discs", "hard_discs.radius = 0", ":6: hard_discs.radius = 0, must be > 0 (m)"},
    {"hard_discs", "hard_discs.radius = 0.3",
     ":6: hard_discs: radius: the discs are too dense for random places, which equal discs find up to a covered "
     "fraction of 0.547, in sample 0"},
    {"hard_discs", "hard_discs.mass = 0", ":6: hard_discs.mass = 0, must be > 0 (kg)"},
    {"hard_discs", "hard_discs.mass = [1, 2]",
     ":6: hard_discs.mass = [1, 2], must be a number for all bodies, or a list of 16 of them (kg)"},
    {"hard_discs", "start.position = [[0, 0]]",
     ":6: start.position = [[0, 0]], must be a list of 2 numbers for all bodies, or a list of 16 of them (m)"},
    {"hard_discs", "start.velocity = [1, 2, 3]", ":6: start.velocity = [1, 2, 3], must be a list of 2 numbers (m/s)"},
    {"hard_discs", "hard_discs.placement = 'given'\nhard_discs.discs = 2\nstart.position = [[0, 0], [0.01, 0]]",
     ":8: hard_discs: start.position: two discs overlap, in sample 0"},
    {"hard_discs", "hard_discs.placement = 'given'\nhard_discs.discs = 2\nstart.position = [[0, 0], [3, 0]]",
     ":8: hard_discs: start.position: a disc reaches beyond the wall, in sample 0"},
    {"hard_discs", "hard_discs.radius = [0.02]",
     ":6: hard_discs.radius = [0.02], must be a number for all bodies, or a list of 16 of them (m)"},
    {"pair", "pair.mass1 = 0", ":8: pair.mass1 = 0, must be > 0 (kg)"},
    {"pair", "pair.mass2 = -10", ":8: pair.mass2 = -10, must be > 0 (kg)"},
    {"pair", "pair.gravity = 0", ":8: pair.gravity = 0, must be > 0 (m/s^2)"},
    {"pair", "pair.friction = -0.1", ":8: pair.friction = -0.1, must be >= 0 (dimensionless)"},
    {"pair", "pair.static_friction = -0.1", ":8: pair.static_friction = -0.1, must be >= 0 (dimensionless)"},
    {"pair", "pair.friction = 0.3\npair.static_friction = 0.2",
     ":9: pair: static_friction is below friction, in sample 0"},
    {"pair", "pair.model = 'part2'", R"(:8: pair.model = "part2", did you mean "part1"?)"},
    {"pair", "pair.start_check = 'none'", R"(:8: pair.start_check = "none", must be one of reject, project)"},
    {"pair", "pair.stabilise = 'yes'", R"(:8: pair.stabilise = "yes", must be one of none, baumgarte, projection)"},
    {"pair", "pair.stabilise_rate = -1", ":8: pair.stabilise_rate = -1, must be >= 0 (1/s)"},
    {"pair", "pair.finest_step = 0", ":8: pair.finest_step = 0, must be > 0 and <= 1 (dimensionless)"},
    {"pair", "pair.finest_step = 2", ":8: pair.finest_step = 2, must be > 0 and <= 1 (dimensionless)"},
    {"pair", "start.position1 = [0.0, 1.0]",
     ":8: pair: position1 and position2 coincide: the link has no length, in sample 0"},
    {"pair", "start.position1 = [0.0]", ":8: start.position1 = [0], must be a list of 2 numbers (m)"},
    {"pair", "start.position2 = [0.0, 1.0, 2.0]", ":8: start.position2 = [0, 1, 2], must be a list of 2 numbers (m)"},
    {"pair", "start.velocity1 = [1.0, 5.0]",
     ":8: pair: velocity1 and velocity2 would change the distance of the masses: r12 . r12' must be 0 (or set "
     "start_check = \"project\"), in sample 0"},
    {"pair", "start.velocity2 = 5", ":8: start.velocity2 = 5, must be a list in [ ]"},
    {"pair", "start.position = [0.0, 0.0]", ":8: unknown key start.position, did you mean start.position1?"},
    {"pair", "terrain.kind = 'ramp'",
     ":6: terrain.kind = \"ramp\" does not suit the system pair, which slides on a smooth surface: must be one of "
     "plane, quadric, bowl, dome, cosine, grid"},
    {"pair", "terrain.slope = 90", ":7: terrain.slope = 90, must be >= 0 and < 90 (degrees)"},
    {"pair", "scheme = 'exact'",
     ":2: scheme = \"exact\", must be one of rk4, euler, euler_cromer, rk2_midpoint, rk2_heun, rk3, implicit_midpoint"},
    {"projectile", "projectile.gravity = 0", ":6: projectile.gravity = 0, must be > 0 (m/s^2)"},
    {"projectile", "projectile.gravity = -9.81", ":6: projectile.gravity = -9.81, must be > 0 (m/s^2)"},
    {"projectile", "projectile.drag = -1", ":6: projectile.drag = -1, must be >= 0 (1/s)"},
    {"projectile", "start.speed = -100", ":6: start.speed = -100, must be >= 0 (m/s)"},
    {"projectile", "start.angle = 45", ":6: start.angle = 45, must be >= -pi/2 and <= pi/2 (rad)"},
    {"projectile", "start.angle = -1.6", ":6: start.angle = -1.6, must be >= -pi/2 and <= pi/2 (rad)"},
    {"projectile", "start.height = -1", ":6: start.height = -1, must be >= 0 (m)"},
    {"projectile", "start.velocity = [1, 2]",
     ":6: unknown key start.velocity, known here: speed, angle, height, table, columns"},
    {"projectile", "terrain.slope = 3",
     ":6: unknown key terrain, known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, "
     "title, columns, projectile, start, vary, observed, published, sensitivity, margin"},
    {"projectile", "shape.mass = 3",
     ":6: unknown key shape, known here: system, scheme, samples, seed, sampling, replicates, step, end, strict, "
     "title, columns, projectile, start, vary, observed, published, sensitivity, margin"},
    {"projectile", "scheme = 'explicit'", R"(:2: scheme = "explicit", must be one of exact, euler, euler_cromer, rk4)"},
    {"projectile", "start.speed = 1e200", ":6: start.speed = 1e+200, must be a number of at most 1e60 in size (m/s)"},
    {"rock", "rock.gravity = -9.81", ":11: rock.gravity = -9.81, must be >= 0 (m/s^2)"},
    {"rock", "rock.friction_min = -0.2", ":11: rock.friction_min = -0.2, must be >= 0 (dimensionless)"},
    {"rock", "rock.friction_min = 3.0", ":11: rock: friction_max is below friction_min, in sample 0"},
    {"rock", "rock.friction_max = 0.1", ":11: rock: friction_max is below friction_min, in sample 0"},
    {"rock", "rock.scar_decay = -1", ":11: rock.scar_decay = -1, must be >= 0 (1/s)"},
    {"rock", "rock.scar_growth = -1", ":11: rock.scar_growth = -1, must be >= 0 (1/m)"},
    {"rock", "rock.restitution = 1.01", ":11: rock.restitution = 1.01, must be >= 0 and <= 1 (dimensionless)"},
    {"rock", "rock.restitution = -0.01", ":11: rock.restitution = -0.01, must be >= 0 and <= 1 (dimensionless)"},
    {"rock", "rock.drag = -0.1", ":11: rock.drag = -0.1, must be >= 0 (1/s)"},
    {"rock", "rock.layer_drag = -0.1", ":11: rock.layer_drag = -0.1, must be >= 0 (kg/s)"},
    {"rock", "rock.layer_height = -1", ":11: rock.layer_height = -1, must be >= 0 (m)"},
    {"rock", "rock.layer_drag = 1e9",
     ":4: rock: drag times half a step must stay below 1: the velocity would flip, in sample 0"},
    {"rock", "rock.stop_speed = -1", ":11: rock.stop_speed = -1, must be >= 0 (m/s)"},
    {"rock", "rock.stop_time = 0", ":11: rock.stop_time = 0, must be > 0 (s)"},
    {"rock", "rock.contact_tolerance = 0", ":11: rock.contact_tolerance = 0, must be > 0 and < 1 (dimensionless)"},
    {"rock", "rock.contact_tolerance = 1", ":11: rock.contact_tolerance = 1, must be > 0 and < 1 (dimensionless)"},
    {"rock", "rock.contact_sweeps = 0",
     ":11: rock.contact_sweeps = 0, must be a whole number from 1 to 100000 (dimensionless)"},
    {"rock", "rock.contact_sweeps = 1e9",
     ":11: rock.contact_sweeps = 1e+09, must be a whole number from 1 to 100000 (dimensionless)"},
    {"rock", "rock.contact_sweeps = 2.5",
     ":11: rock.contact_sweeps = 2.5, must be a whole number from 1 to 100000 (dimensionless)"},
    {"rock", "rock.ground = 'sand'", R"(:11: rock.ground = "sand", did you mean "hard"?)"},
    {"rock", "rock.ground = 3", ":11: rock.ground = 3, must be a text in quotes"},
    {"rock", "rock.ground = ['soft', 'hard']", R"(:11: rock.ground = ["soft", "hard"], must be a text in quotes)"},
    {"rock", "rock.friction_min = 'low'", R"(:11: rock.friction_min = "low", must be a number)"},
    {"rock", "rock.friction_min = [0.2, 0.3]", ":11: rock.friction_min = [0.2, 0.3], must be a number"},
    {"rock", "start.position = [1]",
     ":11: start.position = [1], must be [x, y] to set the body down on the terrain, or [x, y, z] (m)"},
    {"rock", "start.position = [1, 2, 3, 4]",
     ":11: start.position = [1, 2, 3, 4], must be [x, y] to set the body down on the terrain, or [x, y, z] (m)"},
    {"rock", "start.position = 5",
     ":11: start.position = 5, must be [x, y] to set the body down on the terrain, or [x, y, z] (m)"},
    {"rock", "start.position = ['a', 'b']", R"(:11: start.position = "a", must be a number)"},
    {"rock", "start.gap = -1", ":11: start.gap = -1, must be >= 0 (m)"},
    {"rock", "start.velocity = [1, 2]", ":11: start.velocity = [1, 2], must be a list of 3 numbers (m/s)"},
    {"rock", "start.velocity = 3", ":11: start.velocity = 3, must be a list in [ ]"},
    {"rock", "start.speed = 'fast'", R"(:11: start.speed = "fast", must be a number)"},
    {"rock", "start.orientation = [0, 0, 0, 0]",
     ":11: start.orientation = [0, 0, 0, 0], must be a quaternion [w, x, y, z] of length 1"},
    {"rock", "start.orientation = [1, 0, 0]",
     ":11: start.orientation = [1, 0, 0], must be a list of 4 numbers (dimensionless)"},
    {"rock", "start.orientation = 'uniform'", R"(:11: start.orientation = "uniform", must be a list in [ ])"},
    {"rock", "start.omega = [1, 2]", ":11: start.omega = [1, 2], must be a list of 3 numbers (rad/s)"},
    {"rock", "start.shape = 'ball'", R"(:11: start.shape = "ball", must be one of 1)"},
    {"rock", "start.shape = 0", ":11: start.shape = 0, must be the name of a [[shape]]: 1"},
    {"rock", "start.mass = -1", ":11: start.mass = -1, must be >= 0 (kg)"},
    {"rock", "start.set_down = 1", ":11: start.set_down = 1, must be true or false"},
    {"rock", "start.set_down = false", ":11: start.set_down = false, but no height z is given for start.position"},
    {"rock", "start.set_down = true\nstart.position = [1, 2, 3]",
     ":12: start.position gives a height, but start.set_down = true puts the body on the terrain: keep one of the two"},
    {"rock", "start.speed = 1e200", ":11: start.speed = 1e+200, must be a number of at most 1e60 in size (m/s)"},
    {"rock", "shape.mass = 1e300", ":10: shape.mass = 1e+300, must be a number of at most 1e60 in size (kg)"},
    {"rock", "rock.drag = 1000",
     ":4: rock: drag times half a step must stay below 1: the velocity would flip, in sample 0"},
    {"rock", "rock.drag = 1e9",
     ":4: rock: drag times half a step must stay below 1: the velocity would flip, in sample 0"},
    {"rock", "rock.friction_min = 1e200\nrock.friction_max=1e200",
     ":11: rock.friction_min = 1e+200, must be a number of at most 1e60 in size (dimensionless)"},
    {"rock", "shape.size = [1e200, 1e200, 1e200]",
     ":9: shape.size = 1e+200, must be a number of at most 1e60 in size (m)"},
    {"rock", "shape.density = 1e250\n!shape.mass",
     ":10: shape.density = 1e+250, must be a number of at most 1e60 in size (kg/m^3)"},
    {"rotor", "rotor.inertia = [1, 2]", ":6: rotor.inertia = [1, 2], must be a list of 3 numbers (kg m^2)"},
    {"rotor", "rotor.inertia = [0, 1, 1]", ":6: rotor.inertia = 0, must be > 0 (kg m^2)"},
    {"rotor", "rotor.inertia = [1, 1, 5]",
     ":6: rotor: inertia: one moment exceeds the sum of the other two, no body has that, in sample 0"},
    {"rotor", "rotor.inertia = 1", ":6: rotor.inertia = 1, must be a list in [ ]"},
    {"rotor", "rotor.inertia = [1, 1, 'x']", R"(:6: rotor.inertia = "x", must be a number)"},
    {"rotor", "start.omega = [1, 2, 3, 4]", ":6: start.omega = [1, 2, 3, 4], must be a list of 3 numbers (rad/s)"},
    {"rotor", "start.omega = [nan, 0, 0]", ":6: start.omega = nan, must be a finite number (rad/s)"},
    {"rotor", "start.omega = [1e200, 0, 0]",
     ":6: start.omega = 1e+200, must be a number of at most 1e60 in size (rad/s)"},
    {"rotor", "start.orientation = [1e-9, 0, 0, 0]",
     ":6: start.orientation = [1e-09, 0, 0, 0], must be a quaternion [w, x, y, z] of length 1"},
    {"rotor", "start.orientation = [0, 0, 0, 1, 0]",
     ":6: start.orientation = [0, 0, 0, 1, 0], must be a list of 4 numbers (dimensionless)"},
    {"rotor", "rotor.gravity = 1", ":6: unknown key rotor.gravity, known here: inertia"},
    {"rotor", "start.velocity = [1, 2, 3]",
     ":6: unknown key start.velocity, known here: omega, orientation, table, columns"},
    {"scatter", "scatter.gravity = -1", ":6: scatter.gravity = -1, must be >= 0 (m/s^2)"},
    {"scatter", "scatter.drag = -1", ":6: scatter.drag = -1, must be >= 0 (1/s)"},
    {"scatter", "scatter.restitution = 1.2", ":6: scatter.restitution = 1.2, must be >= 0 and <= 1 (dimensionless)"},
    {"scatter", "scatter.plane = 'yes'", R"(:6: scatter.plane = "yes", must be one of absent, present)"},
    {"scatter", "scatter.plane_angle = 1.6", ":6: scatter.plane_angle = 1.6, must be > -1.57 and < 1.57 (rad)"},
    {"scatter", "scatter.plane_angle = 90", ":6: scatter.plane_angle = 90, must be > -1.57 and < 1.57 (rad)"},
    {"scatter", "scatter.ball = 'none'", R"(:6: scatter.ball = "none", must be one of absent, present)"},
    {"scatter", "scatter.ball_position = [1]", ":6: scatter.ball_position = [1], must be a list of 2 numbers (m)"},
    {"scatter", "scatter.ball_radius = 0", ":6: scatter.ball_radius = 0, must be > 0 (m)"},
    {"scatter", "scatter.near = -1", ":6: scatter.near = -1, must be >= 0 (m)"},
    {"scatter", "scatter.rest_speed = 0", ":6: scatter.rest_speed = 0, must be > 0 (m/s)"},
    {"scatter", "scatter.obstacles = 'walls'", R"(:6: scatter.obstacles = "walls", did you mean "ball"?)"},
    {"scatter", "start.position = [1, 2, 3]", ":6: start.position = [1, 2, 3], must be a list of 2 numbers (m)"},
    {"scatter", "start.velocity = 'down'", R"(:6: start.velocity = "down", must be a list in [ ])"},
    {"scatter", "start.position = [325.0, 120.0]", ":6: scatter: start.position is inside the ball, in sample 0"},
    {"scatter", "start.position = [0.0, -500.0]", ":6: scatter: start.position is below the plane, in sample 0"},
    {"scatter", "scatter.gravity = 1e200",
     ":6: scatter.gravity = 1e+200, must be a number of at most 1e60 in size (m/s^2)"},
    {"scatter", "start.velocity = [0.0, -1e200]",
     ":6: start.velocity = -1e+200, must be a number of at most 1e60 in size (m/s)"},
    {"slider", "slider.gravity = 0", ":8: slider.gravity = 0, must be > 0 (m/s^2)"},
    {"slider", "slider.friction = -0.1", ":8: slider.friction = -0.1, must be >= 0 (dimensionless)"},
    {"slider", "slider.static_friction = -0.1", ":8: slider.static_friction = -0.1, must be >= 0 (dimensionless)"},
    {"slider", "slider.friction = 0.5\nslider.static_friction = 0.2",
     ":9: slider: static_friction is below friction, in sample 0"},
    {"slider", "slider.mode = 'unilateral'", R"(:8: slider.mode = "unilateral", did you mean "unilateral_stop"?)"},
    {"slider", "slider.mode = 1", ":8: slider.mode = 1, must be one of bilateral, unilateral_stop"},
    {"slider", "slider.finest_step = 1.5", ":8: slider.finest_step = 1.5, must be > 0 and <= 1 (dimensionless)"},
    {"slider", "start.position = [1, 2, 3]", ":8: start.position = [1, 2, 3], must be a list of 2 numbers (m)"},
    {"slider", "start.velocity = [1]", ":8: start.velocity = [1], must be a list of 2 numbers (m/s)"},
    {"slider", "start.speed = 'x'", R"(:8: start.speed = "x", must be a number)"},
    {"slider", "start.heading = 'north'", R"(:8: start.heading = "north", must be a number)"},
    {"slider", "start.gap = 1",
     ":8: unknown key start.gap, known here: position, velocity, speed, heading, table, columns"},
    {"slider", "start.orientation = [1, 0, 0, 0]",
     ":8: unknown key start.orientation, known here: position, velocity, speed, heading, table, columns"},
    {"slider", "terrain.kind = 'ramp'\nterrain.height = 5",
     ":6: terrain.kind = \"ramp\" does not suit the system slider, which slides on a smooth surface: must be one of "
     "plane, quadric, bowl, dome, cosine, grid"},
    {"slider", "start.speed = 1e200", ":8: start.speed = 1e+200, must be a number of at most 1e60 in size (m/s)"},
    {"slider", "slider.gravity = 1e300",
     ":8: slider.gravity = 1e+300, must be a number of at most 1e60 in size (m/s^2)"},
    {"rock", "shape.mass = 1e61", ":10: shape.mass = 1e+61, must be a number of at most 1e60 in size (kg)"},
    {"rock", "vary.speed = { normal = [0, 1e61] }",
     ":11: vary.speed.normal = 1e+61, must be a number of at most 1e60 in size (m/s)"},
    {"rock", "vary.speed = { lognormal = [200, 1] }",
     ":11: start.speed = 2.5267410143396833e+87 in sample 0, must be a number of at most 1e60 in size (m/s)"},
};

/// [vary].
constexpr BadConfig laws[] = {
    {"rock", "vary.speed = 3",
     ":11: vary.speed = 3, must be a law, as { uniform = [low, high] }; laws are uniform, normal, lognormal, "
     "triangular, choice, table"},
    {"rock", "vary.speed = 'uniform'",
     ":11: vary.speed = \"uniform\", must be a law, as { uniform = [low, high] }; laws are uniform, normal, lognormal, "
     "triangular, choice, table"},
    {"rock", "vary.speed = {}",
     ":11: vary.speed = {}, must be a law, as { uniform = [low, high] }; laws are uniform, normal, lognormal, "
     "triangular, choice, table"},
    {"rock", "vary.speed = []",
     ":11: vary.speed = [], must be a law, as { uniform = [low, high] }; laws are uniform, normal, lognormal, "
     "triangular, choice, table"},
    {"rock", "vary.speed = { uniform = 3 }", ":11: vary.speed.uniform = 3, must be [low, high] with low < high (m/s)"},
    {"rock", "vary.speed = { uniform = [1] }",
     ":11: vary.speed.uniform = [1], must be [low, high] with low < high (m/s)"},
    {"rock", "vary.speed = { uniform = [1, 2, 3] }",
     ":11: vary.speed.uniform = [1, 2, 3], must be [low, high] with low < high (m/s)"},
    {"rock", "vary.speed = { uniform = [2, 1] }",
     ":11: vary.speed.uniform = [2, 1], must be [low, high] with low < high (m/s)"},
    {"rock", "vary.speed = { uniform = [1, 1] }",
     ":11: vary.speed.uniform = [1, 1], must be [low, high] with low < high (m/s)"},
    {"rock", "vary.speed = { uniform = ['a', 'b'] }", R"(:11: vary.speed.uniform = "a", must be a number)"},
    {"rock", "vary.speed = { uniform = [nan, 1] }", ":11: vary.speed.uniform = nan, must be a finite number (m/s)"},
    {"rock", "vary.speed = { uniform = [-inf, inf] }", ":11: vary.speed.uniform = -inf, must be a finite number (m/s)"},
    {"rock", "vary.speed = { uniform = { low = 1, high = 2 } }",
     ":11: vary.speed.uniform = { high = 2, low = 1 }, must be [low, high] with low < high (m/s)"},
    {"rock", "vary.speed = { normal = [1] }",
     ":11: vary.speed.normal = [1], must be [mean, standard deviation >= 0] (m/s)"},
    {"rock", "vary.speed = { normal = [1, -1] }",
     ":11: vary.speed.normal = [1, -1], must be [mean, standard deviation >= 0] (m/s)"},
    {"rock", "vary.speed = { normal = [1, inf] }", ":11: vary.speed.normal = inf, must be a finite number (m/s)"},
    {"rock", "vary.speed = { normal = 'standard' }",
     R"(:11: vary.speed.normal = "standard", must be [mean, standard deviation >= 0] (m/s))"},
    {"rock", "vary.speed = { lognormal = [1, -1] }",
     ":11: vary.speed.lognormal = [1, -1], must be [mean, standard deviation >= 0] of the logarithm (m/s)"},
    {"rock", "vary.speed = { lognormal = [1000, 1] }",
     ":11: start.speed = inf in sample 0, must be a finite number (m/s)"},
    {"rock", "vary.speed = { triangular = [1, 2] }",
     ":11: vary.speed.triangular = [1, 2], must be [low, high, mode] with low <= mode <= high and low < high (m/s)"},
    {"rock", "vary.speed = { triangular = [1, 2, 3] }",
     ":11: vary.speed.triangular = [1, 2, 3], must be [low, high, mode] with low <= mode <= high and low < high (m/s)"},
    {"rock", "vary.speed = { triangular = [2, 1, 1.5] }",
     ":11: vary.speed.triangular = [2, 1, 1.5], must be [low, high, mode] with low <= mode <= high and low < high "
     "(m/s)"},
    {"rock", "vary.speed = { choice = 3 }", ":11: vary.speed.choice = 3, must be a list of at least one value"},
    {"rock", "vary.speed = { choice = [] }", ":11: vary.speed.choice = [], must be a list of at least one value"},
    {"rock", "vary.speed = { choice = ['a'] }", R"(:11: vary.speed.choice = "a", must be a number)"},
    {"rock", "vary.speed = { choice = [1, 2], weights = [1] }",
     ":11: vary.speed.weights = [1], must be a list of 2 numbers (dimensionless)"},
    {"rock", "vary.speed = { choice = [1, 2], weights = [0, 0] }",
     ":11: vary.speed.weights = [0, 0], must be weights of which one is > 0"},
    {"rock", "vary.speed = { choice = [1, 2], weights = [-1, 2] }",
     ":11: vary.speed.weights = -1, must be >= 0 (dimensionless)"},
    {"rock", "vary.speed = { weights = [1, 2] }",
     ":11: unknown law vary.speed.weights, must be one of uniform, normal, lognormal, triangular, choice, table"},
    {"rock", "vary.speed = { min = 1 }",
     ":11: unknown law vary.speed.min, must be one of uniform, normal, lognormal, triangular, choice, table"},
    {"rock", "vary.speed = { uniform = [1, 2], min = 1 }",
     ":11: vary.speed.min belongs to normal and lognormal laws; uniform has ends of its own"},
    {"rock", "vary.speed = { uniform = [1, 2], normal = [1, 2] }",
     ":11: vary.speed = { normal = [1, 2], uniform = [1, 2] }, must be one law, not uniform and normal"},
    {"rock", "vary.speed = { normal = [1, 2], min = 3, max = 2 }", ":11: vary.speed.max = 2, must be > min = 3 (m/s)"},
    {"rock", "vary.speed = { normal = [1, 0], min = 0 }",
     ":11: vary.speed.normal = [1, 0], must be a standard deviation > 0 where min or max is given (m/s)"},
    {"rock", "vary.speed = { normal = [1, 0.1], min = 50 }",
     ":11: vary.speed: min and max leave less than 1e-9 of the law's probability between them"},
    {"rock", "vary.speed = { lognormal = [1, 0.1], min = -1 }",
     ":11: vary.speed.min = -1, must be > 0 for a lognormal law (m/s)"},
    {"rock", "vary.speed = { exponential = [1] }",
     ":11: unknown law vary.speed.exponential, must be one of uniform, normal, lognormal, triangular, choice, table"},
    {"rock", "vary.speed = { table = 't.csv' }",
     ":11: vary.speed.table = \"t.csv\", there is no file t.csv (SCREE_DATA, the folder of data files, is not set)", 3},
    {"rock", "vary.speed = { line = [[0, 0], [1, 1]] }",
     ":11: vary.speed = { line = [[0, 0], [1, 1]] }, must be a law, as { uniform = [low, high] }; laws are uniform, "
     "normal, lognormal, triangular, choice, table"},
    {"rock", "vary.start.speed = { uniform = [1, 2] }\nvary.speed = { uniform = [1, 2] }",
     ":11: start.speed varies here and again in vary.speed (m.toml:12): keep one of the two"},
    {"rock", "vary.rock.friction_min = { uniform = [-1, 1] }",
     ":11: vary.rock.friction_min.uniform = -1, must be >= 0 (dimensionless)"},
    {"rock", "vary.rock.friction_min = { uniform = [1, 3] }",
     ":11: rock: friction_max is below friction_min, in sample 0, which draws rock.friction_min = 2.789369432670185 "
     "(m.toml:11)"},
    {"rock", "vary.rock.friction_min = { normal = [0.1, 0.2] }",
     ":11: rock.friction_min = -0.02879109996967566 in sample 1, must be >= 0 (dimensionless)"},
    {"rock", "vary.rock.ground = { choice = ['soft', 'sand'] }",
     R"(:11: vary.rock.ground.choice = "sand", did you mean "hard"?)"},
    {"rock", "vary.rock.ground = { uniform = [0, 1] }",
     ":11: vary.rock.ground = { uniform = [0, 1] }, must be { choice = [...] } with names of extra soft, soft, medium "
     "soft, medium, medium hard, hard, extra hard, snow, scree slope, hard scree, alpine meadow"},
    {"rock", "vary.rock.contact_sweeps = { uniform = [1, 60] }",
     ":11: rock.contact_sweeps = 53.78639826377046 in sample 0, must be a whole number from 1 to 100000 "
     "(dimensionless)"},
    {"rock", "vary.rock.restitution = { uniform = [0, 2] }",
     ":11: vary.rock.restitution.uniform = 2, must be >= 0 and <= 1 (dimensionless)"},
    {"rock", "vary.orientation = 'random'", R"(:11: vary.orientation = "random", must be "uniform" (on SO(3)))"},
    {"rock", "vary.orientation = { uniform = [0, 1] }",
     R"(:11: vary.orientation = { uniform = [0, 1] }, must be "uniform" (on SO(3)))"},
    {"rock", "vary.start.orientation.w = { uniform = [0, 1] }",
     ":11: start.orientation.w cannot vary alone; start.orientation = \"uniform\" varies all four"},
    {"rock", "vary.start.omega = { uniform = [0, 1] }",
     ":11: vary.start.omega = { uniform = [0, 1] }, must be a table of laws for its components, as { x = { uniform = "
     "[0, 1] } }"},
    {"rock", "vary.start.omega.q = { uniform = [0, 1] }",
     ":11: unknown key vary.start.omega.q, did you mean start.omega.x?"},
    {"rock", "vary.start.omega.x = 'uniform'",
     ":11: vary.start.omega.x = \"uniform\", must be a law, as { uniform = [low, high] }; laws are uniform, normal, "
     "lognormal, triangular, choice, table"},
    {"rock", "vary.start.shape = { choice = ['ball'] }", R"(:11: vary.start.shape.choice = "ball", must be one of 1)"},
    {"rock", "vary.start.shape = { uniform = [0, 1] }",
     ":11: vary.start.shape = { uniform = [0, 1] }, must be { choice = [names of shapes] }"},
    {"rock", "vary.start.shape = 'uniform'",
     ":11: vary.start.shape = \"uniform\", must be a law, as { uniform = [low, high] }; laws are uniform, normal, "
     "lognormal, triangular, choice, table"},
    {"rock", "vary.start.position = { polygon = [[0, 0], [1, 0]] }",
     ":11: vary.start.position.polygon = [[0, 0], [1, 0]], must be a list of at least 3 points [x, y] (m)"},
    {"rock", "vary.start.position = { polygon = [[0, 0], [1, 1], [2, 2]] }",
     ":11: vary.start.position.polygon has no area; use line for a line of release points"},
    {"rock", "vary.start.position = { polygon = [[0, 0], [1, 1], [1, 0], [0, 1]] }",
     ":11: vary.start.position.polygon has no area, for its sides 1 and 3 cross: order its corners"},
    {"rock", "vary.start.position = { polygon = [[0, 0], [100, 100], [101, 100]] }",
     ":11: vary.start.position.polygon fills 0.5 % of its bounding box, must be >= 1 %; use line for a line of release "
     "points"},
    {"rock", "vary.start.position = { polygon = [[0, 0, 0], [1, 0, 0], [0, 1, 0]] }",
     ":11: vary.start.position.polygon = [0, 0, 0], must be a point [x, y] (m)"},
    {"rock", "vary.start.position = { polygon = 'square' }",
     ":11: vary.start.position.polygon = \"square\", there is no file square (SCREE_DATA, the folder of data files, is "
     "not "
     "set)",
     3},
    {"rock", "vary.start.position = { polygon = [[0, 0], [1, 0], [0, nan]] }",
     ":11: vary.start.position.polygon = nan, must be a finite number (m)"},
    {"rock", "vary.start.position = { line = [[0, 0]] }",
     ":11: vary.start.position.line = [[0, 0]], must be a list of at least 2 points [x, y] (m)"},
    {"rock", "vary.start.position = { line = [[1, 1], [1, 1]] }", ":11: vary.start.position.line has no length"},
    {"rock", "vary.start.position = { line = [[0, 0], [1, 1]], polygon = [[0, 0], [1, 0], [0, 1]] }",
     ":11: vary.start.position = { line = [[0, 0], [1, 1]], polygon = [[0, 0], [1, 0], [0, 1]] }, must be one law, not "
     "line and polygon"},
    {"rock", "vary.start.position = { uniform = [[0, 0], [1, 1]] }",
     ":11: vary.start.position = { uniform = [[0, 0], [1, 1]] }, must be { line = [[x, y], ...] } or { polygon = [[x, "
     "y], ...] }"},
    {"rock", "vary.start.position = { line = [[0, 0], [1, 1]], rule = 'even' }",
     R"(:11: vary.start.position.rule = "even", must be one of random)"},
    {"rock", "vary.terrain.slope = { uniform = [20, 30] }",
     ":11: unknown key vary.terrain.slope, must be one of rock.gravity, rock.friction_min, rock.friction_max, "
     "rock.scar_decay, rock.scar_growth, ..."},
    {"rock", "vary.shape.mass = { uniform = [20, 30] }", ":11: unknown key vary.shape.mass, did you mean start.mass?"},
    {"rock", "vary.seed = { uniform = [20, 30] }", ":11: unknown key vary.seed, did you mean start.speed?"},
    {"rock", "vary = { speed = { uniform = [1, 2], unit = 'm/s' } }",
     ":11: unknown key vary.speed.unit, known here: uniform, normal, lognormal, triangular, choice, table, min, max"},
    {"balls", "vary.balls = { uniform = [1, 3] }",
     ":6: balls.balls is the number of bodies, which is the same in all samples: it cannot vary"},
    {"balls", "vary.balls.balls = { choice = [1, 3] }",
     ":6: balls.balls is the number of bodies, which is the same in all samples: it cannot vary"},
    {"balls", "vary.'balls.mass[5]' = { uniform = [1, 3] }",
     ":6: unknown key vary.balls.mass[5], did you mean balls.mass?"},
    {"balls", "vary.'balls.mass' = { uniform = [-1, 3] }", ":6: vary.balls.mass.uniform = -1, must be > 0 (kg)"},
    {"balls", "vary.placement = { choice = ['even', 'given'] }",
     ": balls: start.position: the first ball reaches beyond the left wall, in sample 0"},
    {"disk", "vary.disk.nodes = { choice = [51, 101] }",
     ":6: disk.nodes is the number of bodies, which is the same in all samples: it cannot vary"},
    {"disk", "vary.disk.cells = { uniform = [1, 2] }",
     ":6: unknown key vary.disk.cells, must be one of disk.nodes, disk.geometry, disk.refinement, disk.mesh, "
     "disk.stepping, disk.courant, disk.growth, ..."},
    {"projectile", "vary.angle = { uniform = [0, 45] }",
     ":6: vary.angle.uniform = 45, must be >= -pi/2 and <= pi/2 (rad)"},
    {"projectile", "vary.angle = { normal = [0.8, 1.0] }",
     ":6: start.angle = 2.0518334262356452 in sample 0, must be >= -pi/2 and <= pi/2 (rad)"},
    {"slider", "vary.start.position = { polygon = [[0, 0], [1, 0]] }",
     ":8: vary.start.position.polygon = [[0, 0], [1, 0]], must be a list of at least 3 points [x, y] (m)"},
    {"slider", "vary.slider.friction = { triangular = [0, 1, -1] }",
     ":8: vary.slider.friction.triangular = -1, must be >= 0 (dimensionless)"},
    {"rotor", "vary.rotor.inertia = { uniform = [1, 2] }",
     ":6: vary.rotor.inertia = { uniform = [1, 2] }, must be a table of laws for its components, as { x = { uniform = "
     "[0, 1] } }"},
    {"rotor", "vary.rotor.inertia.x = { uniform = [1, 200] }",
     ":6: rotor: inertia: one moment exceeds the sum of the other two, no body has that, in sample 0, which draws "
     "rotor.inertia.x = 179.0422585506834 (m.toml:6)"},
};

/// [terrain] and [[shape]], without their files.
constexpr BadConfig shapes[] = {
    {"rock", "terrain.kind = 'slope'", R"(:6: terrain.kind = "slope", must be one of plane, ramp, grid)"},
    {"rock", "terrain.kind = 'Plane'", R"(:6: terrain.kind = "Plane", did you mean "plane"?)"},
    {"rock", "terrain.kind = 'quadric'",
     ":6: terrain.kind = \"quadric\" does not suit the system rock, whose contacts need planes: must be one of plane, "
     "ramp, grid"},
    {"rock", "terrain.kind = 'bowl'",
     ":6: terrain.kind = \"bowl\" does not suit the system rock, whose contacts need planes: must be one of plane, "
     "ramp, grid"},
    {"rock", "terrain.kind = 3", ":6: terrain.kind = 3, must be a text in quotes"},
    {"rock", "terrain.kind = 'ramp'", ":6: terrain.height is missing, must be of the ground at x = 0 > 0 (m)"},
    {"rock", "terrain.kind = 'ramp'\nterrain.height = 0", ":11: terrain.height = 0, must be > 0 (m)"},
    {"rock", "terrain.kind = 'ramp'\nterrain.height = -10", ":11: terrain.height = -10, must be > 0 (m)"},
    {"rock", "terrain.kind = 'ramp'\nterrain.height = 10\nterrain.slope = 0",
     ":7: terrain.slope = 0, must be > 0 and < 90 (degrees)"},
    {"rock", "terrain.slope = -10", ":7: terrain.slope = -10, must be >= 0 and < 90 (degrees)"},
    {"rock", "terrain.slope = 90", ":7: terrain.slope = 90, must be >= 0 and < 90 (degrees)"},
    {"rock", "terrain.slope = 'steep'", R"(:7: terrain.slope = "steep", must be a number)"},
    {"rock", "terrain.slope = [30]", ":7: terrain.slope = [30], must be a number"},
    {"rock", "terrain.height = inf", ":11: terrain.height = inf, must be a finite number (m)"},
    {"rock", "terrain.note = 3", ":11: terrain.note = 3, must be a text in quotes"},
    {"rock", "terrain.kind = 'grid'", ":6: terrain.file is missing, must be a GeoTIFF or an ESRI ASCII grid (.asc)"},
    {"rock", "terrain.kind = 'grid'\n!terrain.slope\nterrain.file = 'no.asc'",
     ":10: terrain.file = \"no.asc\", there is no file no.asc (SCREE_DATA, the folder of data files, is not set)", 3},
    {"rock", "terrain.kind = 'grid'\n!terrain.slope\nterrain.file = ''",
     R"(:10: terrain.file = "", must be the name of a file)"},
    {"rock", "terrain.kind = 'grid'\n!terrain.slope\nterrain.file = '.'",
     R"(:10: terrain.file = ".", . is a folder or a device, not a file)", 3},
    {"rock", "terrain.kind = 'grid'\n!terrain.slope\nterrain.file = '/dev/zero'",
     R"(:10: terrain.file = "/dev/zero", /dev/zero is a folder or a device, not a file)", 3},
    {"rock", "terrain.kind = 'grid'\n!terrain.slope\nterrain.file = 3",
     ":10: terrain.file = 3, must be a text in quotes"},
    {"slider", "terrain.kind = 'bowl'\n!terrain.slope",
     ":6: terrain.radius is missing, must be the sphere's radius > 0 (m)"},
    {"slider", "terrain.kind = 'bowl'\n!terrain.slope\nterrain.radius = 0", ":7: terrain.radius = 0, must be > 0 (m)"},
    {"slider", "terrain.kind = 'bowl'\n!terrain.slope\nterrain.radius = 10\nstart.position = [20, 0]",
     ":8: the release of sample 0 at x = 20, y = 0 is outside the terrain, must be nearer to (0, 0) than its radius of "
     "10 (m)"},
    {"slider", "terrain.kind = 'dome'\n!terrain.slope\nterrain.radius = -3",
     ":7: terrain.radius = -3, must be > 0 (m)"},
    {"slider", "terrain.kind = 'cosine'\n!terrain.slope\nterrain.amplitude = 3",
     ":6: terrain has no wavelength, give wavelength_x, wavelength_y (m) or both"},
    {"slider", "terrain.kind = 'cosine'\n!terrain.slope\nterrain.amplitude = 3\nterrain.wavelength_x = 0",
     ":8: terrain.wavelength_x = 0, must be > 0 (m)"},
    {"slider", "terrain.kind = 'quadric'\n!terrain.slope",
     ":6: terrain has no coefficient of z = a x^2 + b y^2 + c x y + d x + e y + f, give at least one"},
    {"slider", "terrain.kind = 'quadric'\n!terrain.slope\nterrain.g = 3",
     ":6: terrain has no coefficient of z = a x^2 + b y^2 + c x y + d x + e y + f, give at least one"},
    {"slider", "terrain.kind = 'quadric'\n!terrain.slope\nterrain.a = nan",
     ":7: terrain.a = nan, must be a finite number (1/m)"},
    {"slider", "terrain.kind = 'quadric'",
     ":6: terrain has no coefficient of z = a x^2 + b y^2 + c x y + d x + e y + f, give at least one"},
    {"rock", "shape.kind = 'sphere'",
     ":8: shape.kind = \"sphere\", must be one of cuboid, ellipsoid, eota, octahedron, irregular, file, points"},
    {"rock", "shape.kind = 'cube'",
     ":8: shape.kind = \"cube\", must be one of cuboid, ellipsoid, eota, octahedron, irregular, file, points"},
    {"rock", "shape.kind = 3", ":8: shape.kind = 3, must be a text in quotes"},
    {"rock", "shape.size = 1", ":9: shape.size = 1, must be a list in [ ]"},
    {"rock", "shape.size = [1, 1]", ":9: shape.size = [1, 1], must be a list of 3 numbers (m)"},
    {"rock", "shape.size = [1, 1, 0]", ":9: shape.size = 0, must be > 0 (m)"},
    {"rock", "shape.size = [1, 1, -1]", ":9: shape.size = -1, must be > 0 (m)"},
    {"rock", "shape.size = [1, 1, nan]", ":9: shape.size = nan, must be a finite number (m)"},
    {"rock", "shape.size = ['a', 'b', 'c']", R"(:9: shape.size = "a", must be a number)"},
    {"rock", "shape.mass = 0", ":10: shape.mass = 0, must be > 0 (kg)"},
    {"rock", "shape.mass = -1", ":10: shape.mass = -1, must be > 0 (kg)"},
    {"rock", "shape.mass = 'heavy'", R"(:10: shape.mass = "heavy", must be a number)"},
    {"rock", "shape.density = 2700", ":11: shape 1 has a mass and a density: keep one of the two"},
    {"rock", "shape.density = 0\n!shape.mass", ":10: shape.density = 0, must be > 0 (kg/m^3)"},
    {"rock", "shape.inertia = [1, 1]", ":11: shape.inertia = [1, 1], must be a list of 3 numbers (kg m^2)"},
    {"rock", "shape.inertia = [1, 1, 0]", ":11: shape.inertia = 0, must be > 0 (kg m^2)"},
    {"rock", "shape.inertia = [1, 1, 3]",
     ":8: shape \"1\": inertia = [1, 1, 3] kg m^2: each moment must be > 0 and at most the sum of the other two"},
    {"rock", "shape.inertia = 3", ":11: shape.inertia = 3, must be a list in [ ]"},
    {"rock", "shape.name = 3", ":11: shape.name = 3, must be a text in quotes"},
    {"rock", "shape.name = ''", R"(:11: shape.name = "", must be a name)"},
    {"rock", "shape.points = [[0, 0, 0]]", R"(:11: shape.points belongs to kind = "points", not to "cuboid")"},
    {"rock", "shape.scale = 2", R"(:11: shape.scale belongs to kind = "file", not to "cuboid")"},
    {"rock", "shape.kind = 'points'", R"(:9: shape.size belongs to kind = "cuboid", not to "points")"},
    {"rock", "shape.kind = 'points'\n!shape.size", ":8: shape.points is missing, must be a list of points"},
    {"rock", "shape.kind = 'points'\n!shape.size\nshape.points = []",
     ":10: shape.points = [], must be a list of at least 4 points [x, y, z] (m)"},
    {"rock", "shape.kind = 'points'\n!shape.size\nshape.points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]",
     ":10: shape.points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], must be a list of at least 4 points [x, y, z] (m)"},
    {"rock", "shape.kind = 'points'\n!shape.size\nshape.points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
     R"(:8: shape "1": is flat: 0 m thick and 1 m long, a rock needs a volume)"},
    {"rock", "shape.kind = 'points'\n!shape.size\nshape.points = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]]",
     R"(:8: shape "1": is flat: 0 m thick and 3 m long, a rock needs a volume)"},
    {"rock", "shape.kind = 'points'\n!shape.size\nshape.points = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]",
     R"(:8: shape "1": is flat: 0 m thick and 0 m long, a rock needs a volume)"},
    {"rock", "shape.kind = 'points'\n!shape.size\nshape.points = [[0, 0], [1, 0], [0, 1], [1, 1]]",
     ":10: shape.points = [0, 0], must be a point [x, y, z] (m)"},
    {"rock", "shape.kind = 'points'\n!shape.size\nshape.points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, inf]]",
     ":10: shape.points = inf, must be a finite number (m)"},
    {"rock",
     "shape.kind = 'points'\n!shape.size\nshape.points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\nshape.scale = 0",
     ":11: shape.scale = 0, must be > 0 (dimensionless)"},
    {"rock", "shape.kind = 'file'\n!shape.size", ":8: shape.file is missing, must be an OBJ or .pts file"},
    {"rock", "shape.kind = 'file'\n!shape.size\nshape.file = 'no.obj'",
     ":10: shape.file = \"no.obj\", there is no file no.obj (SCREE_DATA, the folder of data files, is not set)", 3},
    {"rock", "shape.kind = 'file'\n!shape.size\nshape.file = 'm.toml'",
     R"(shape "1" (m.toml): the name of its file must end in .obj, .pts, .xyz or .txt)", 3},
    {"rock", "shape.kind = 'ellipsoid'\nshape.size = [1, 1]",
     ":9: shape.size = [1, 1], must be a list of 3 numbers (m)"},
    {"rock", "shape.kind = 'file'", R"(:9: shape.size belongs to kind = "cuboid", not to "file")"},
};

/// What paths are watched by: maps, gates, barriers, forest.
constexpr BadConfig watched[] = {
    {"hard_discs", "maps.cell = 1", ":6: maps: the system hard_discs has no maps; rock and slider have"},
    {"hard_discs", "gate = [{ name = 'a', x = 1 }]",
     ":6: gate: the system hard_discs has no gates; rock and slider have"},
    {"hard_discs", "barrier = [{ name = 'a', x = 1, height = 4 }]",
     ":6: barrier: the system hard_discs has no barriers; rock and slider have"},
    {"hard_discs", "forest = [{ stems = 400 }]",
     ":6: forest: the system hard_discs has no forest; rock and slider have"},
    {"rock", "maps.cell = 2", ":11: maps.extent is missing: a plane has no edge; give [west, south, east, north] in m"},
    {"rock", "maps.extent = [0, 0, 9, 9]",
     ":11: maps.cell is missing: a plane has no cells of its own; give the side of one, > 0 (m)"},
    {"rock", "maps.cell = 1\nmaps.extent = [9, 0, 0, 9]",
     ":12: maps.extent = [9, 0, 0, 9], must be [west, south, east, north] with west < east and south < north (m)"},
    {"rock", "maps.cell = 1\nmaps.extent = [0, 9, 9, 9]",
     ":12: maps.extent = [0, 9, 9, 9], must be [west, south, east, north] with west < east and south < north (m)"},
    {"rock", "maps.cell = 0\nmaps.extent = [0, 0, 9, 9]", ":11: maps.cell = 0, must be > 0 (m)"},
    {"rock", "maps.cell = -2\nmaps.extent = [0, 0, 9, 9]", ":11: maps.cell = -2, must be > 0 (m)"},
    {"rock", "maps.cell = 0.001\nmaps.extent = [0, 0, 400, 300]",
     ":11: maps.cell = 0.001 makes 1.200e+11 cells of [0, 0, 400, 300], must be at most 2147483647"},
    {"rock", "maps = { cell = 1, extent = [0, 0, 9, 9], quantities = ['sped'] }",
     R"(:11: maps.quantities = "sped", did you mean "speed"?)"},
    {"rock", "maps = { cell = 1, extent = [0, 0, 9, 9], percentiles = ['energy'] }",
     ":11: maps.percentiles = \"energy\", must be one of kinetic_energy, speed, rotation, jump, height"},
    {"rock", "gate = [{ name = 'a', line = [[0, 0]] }]",
     ":11: gate.line = [[0, 0]], must be a list of at least 2 points [x, y] (m)"},
    {"rock", "gate = [{ name = 'a', line = [[0, 0], [1, 1], [1, 1]] }]",
     R"(:11: gate "a" has the point [1, 1] twice in a row)"},
    {"rock", "gate = [{ name = 'a', line = [[0, 0], [4, 0], [4, 4], [2, -4]] }]",
     R"(:11: gate "a" crosses itself: segment 1 and segment 3)"},
    {"rock", "gate = [{ name = 'a', line = [[0, 0], [1, 1]] }, { name = 'a', line = [[0, 0], [1, 1]] }]",
     R"(:11: two gates have the name "a")"},
    {"rock", "gate = [{ name = 'a/b', line = [[0, 0], [1, 1]] }]",
     ":11: gate.name = \"a/b\", must be a name that is not empty, without /, and not \".\""},
    {"rock", "barrier = [{ name = 'a', line = [[0, 0], [1, 1]], height = 0 }]",
     ":11: barrier.height = 0, must be > 0 (m)"},
    {"rock", "barrier = [{ name = 'a', line = [[0, 0], [1, 1]], height = 4, capacity = -1 }]",
     ":11: barrier.capacity = -1, must be >= 0 (J)"},
    {"rock",
     "gate = [{ name = 'a', line = [[0, 0], [1, 1]] }]\nbarrier = [{ name = 'a', line = [[0, 0], [1, 1]], height = 4 "
     "}]",
     R"(:12: a gate and a barrier have the name "a")"},
    {"rock", "forest = [{ polygon = [[1, 0], [9, 0], [9, 9]], stems = 0, diameter = 0.3, capacity = 1e5 }]",
     ":11: forest.stems = 0, must be > 0 and <= 10000 (per ha)"},
};

/// The same, and a system of coordinates, on a grid of 3 x 3 cells of 10 m, beside a line in another system and a TIFF
/// that is none.
constexpr BadConfig on_grid[] = {
    {"rock", "maps.extent = [100, 100, 200, 200]",
     ":12: maps.extent = [100, 100, 200, 200], must be on the terrain, [0, 0, 30, 30] (m)"},
    {"rock", "gate = [{ name = 'a', line = [[50, 5], [60, 5]] }]",
     ":12: gate \"a\" has the point [50, 5] outside of the terrain, x from 5 to 25, y from 5 to 25 (m)"},
    {"rock", "terrain.crs = 'EPSG:31287'\ngate = [{ name = 'a', file = 'line.geojson' }]",
     ":13: line.geojson: is in EPSG:32632, the terrain in EPSG:31287; reproject it", 3},
    {"rock", "gate = [{ name = 'a', file = 'degrees.geojson' }]",
     "degrees.geojson: is in WGS 84, whose unit is the degree; reproject it to metres", 3},
    {"rock", "terrain.crs = 'EPSG:4326'",
     ":12: terrain.crs: is in WGS 84, whose unit is the degree; reproject it to metres", 3},
    {"rock", "terrain.crs = 'EPSG:999999'",
     ":12: terrain.crs: \"EPSG:999999\" is no coordinate reference system that PROJ knows", 3},
    {"rock", "terrain.file = 'broken.tif'", "broken.tif: cannot be read as a TIFF: ...", 3},
};

/// What may be meant, though hardly: the run is warned of.
constexpr OddConfig odd[] = {
    {"hard_discs", "samples = 100000000\nhard_discs.discs = 64\nvary.start.velocity.x = { uniform = [-1, 1] }",
     "warning: m.toml: only the first 16384 of 100000000 samples were checked for their release"},
    {"rock", "start.speed = 2e4",
     "warning: m.toml:11: start.speed is 20000 (m/s) in size, more than 10 km/s; numbers are in SI units\nwarning: "
     "m.toml:4: step = 0.01 may let a body of 1.732 m across sink 200.0 m into the ground before contact holds it: "
     "take a smaller step"},
    {"rock", "rock.gravity = 1e9",
     "warning: m.toml:11: rock.gravity is 1.000e+09 (m/s^2) in size, more than 1000 m/s^2; numbers are in SI "
     "units\nwarning: m.toml:4: step = 0.01 may let a body of 1.732 m across sink 100316 m into the ground before "
     "contact holds it: take a smaller step"},
    {"rock", "step = 1.0",
     "warning: m.toml:4: step = 1 may let a body of 1.732 m across sink 12.94 m into the ground before contact holds "
     "it: take a smaller step"},
    {"rock", "start.mass = 1e12",
     "warning: m.toml:11: start.mass is 1.000e+12 (kg) in size, more than a million tonnes; numbers are in SI units"},
    {"rock", "start.omega = [0, 2e4, 0]",
     "warning: m.toml:11: start.omega is 20000 (rad/s) in size, more than 10000 rad/s; numbers are in SI units"},
    {"slider", "start.speed = 1e6",
     "warning: m.toml:8: start.speed is 1000000 (m/s) in size, more than 10 km/s; numbers are in SI units"},
    {"projectile", "start.speed = 1e6",
     "warning: m.toml:6: start.speed is 1000000 (m/s) in size, more than 10 km/s; numbers are in SI units"},
    {"scatter", "scatter.gravity = 9806",
     "warning: m.toml:6: scatter.gravity is 9806 (m/s^2) in size, more than 1000 m/s^2; numbers are in SI units"},
    {"rock", "start.position = [2e7, 0]",
     "warning: m.toml:11: start.position is 2.000e+07 (m) in size, more than 10000 km; numbers are in SI units"},
    {"pair", "pair.mass1 = 1e10",
     "warning: m.toml:8: pair.mass1 is 1.000e+10 (kg) in size, more than a million tonnes; numbers are in SI units"},
    {"rock", "shape.mass = 2.7",
     "warning: m.toml:8: shape 1 has a density of 2.700 kg/m^3, which no rock has; lengths are in m, masses in kg"},
    {"rock", "shape.size = [1000, 1000, 1000]",
     "warning: m.toml:8: shape 1 has a density of 2.700e-06 kg/m^3, which no rock has; lengths are in m, masses in "
     "kg\nwarning: m.toml:8: shape 1 is 1732 m across; lengths are in m"},
    {"rock", "shape.size = [1e-4, 1e-4, 1e-4]",
     "warning: m.toml:8: shape 1 has a density of 2.700e+15 kg/m^3, which no rock has; lengths are in m, masses in "
     "kg\nwarning: m.toml:8: shape 1 is 0.0001732 m across; lengths are in m\nwarning: m.toml:4: step = 0.01 may let a "
     "body of 0.0001732 m across sink 0.03230 m into the ground before contact holds it: take a smaller step"},
    {"rock", "start.position = [0, 0, -50]",
     "warning: m.toml:11: 1 of 1 releases are below the ground, first sample 0"},
    {"rock", "step = 0.3",
     "warning: m.toml:5: end = 1 is no multiple of step = 0.3 s: samples run to 0.9 s\nwarning: m.toml:4: step = 0.3 "
     "may let a body of 1.732 m across sink 1.823 m into the ground before contact holds it: take a smaller step"},
    {"rock", "start.orientation = [2, 0, 0, 0]",
     "warning: m.toml:11: start.orientation = [2, 0, 0, 0] has length 2; it is normalised"},
    {"rock", "vary.start.position = { polygon = [[0, 0], [2, 2], [2, 0], [0, 1]] }",
     "warning: m.toml:11: vary.start.position.polygon: its sides 1 and 3 cross; inside is what a ray leaves through an "
     "odd number of sides"},
    {"rock", "start.speed = 3\nvary.speed = { uniform = [1, 2] }",
     "warning: m.toml:11: start.speed = 3 has no effect, for it varies (m.toml:12)"},
    {"rock", "step = 1e-13",
     "warning: m.toml:4: step = 1e-13 makes 1.000e+13 steps of a sample that lasts to the end: 27.78 hours at 1e8 a "
     "second"},
    {"rock", "end = 1.005", "warning: m.toml:5: end = 1.005 is no multiple of step = 0.01 s: samples run to 1 s"},
    {"rock", "start.gap = 1\nstart.position = [0, 0, 5]",
     "warning: m.toml:11: start.gap is not used, because the height of the release is given"},
    {"rock", "start.gap = 1e6",
     "warning: m.toml:4: step = 0.01 may let a body of 1.732 m across sink 44.30 m into the ground before contact "
     "holds it: take a smaller step"},
    {"rock", "sampling = 'sobol'\nvary.speed = { uniform = [1, 2] }",
     "warning: m.toml:3: samples = 4 gives 16 replicates no power of two of points each, on which the balance of Sobol "
     "points rests; 16 samples do"},
};

/// A grid of which one text is another.
constexpr BadGrid grids[] = {
    {"ncols 3\n", "", "g.asc: the header has no ncols"},
    {"nrows 3\n", "", "g.asc: the header has no nrows"},
    {"xllcorner 0\n", "", "g.asc: the header has no xllcorner or xllcenter"},
    {"yllcorner 0\n", "", "g.asc: the header has no yllcorner or yllcenter"},
    {"cellsize 10\n", "", "g.asc: the header has no cellsize"},
    {"ncols 3", "ncols 0", "g.asc:1: ncols = 0, must be a whole number from 2 to 1000000"},
    {"ncols 3", "ncols -3", "g.asc:1: ncols = -3, must be a whole number from 2 to 1000000"},
    {"ncols 3", "ncols 3.5", "g.asc:1: ncols = 3.5, must be a whole number from 2 to 1000000"},
    {"ncols 3", "ncols three", "g.asc:1: 'three' is not a finite number"},
    {"ncols 3", "ncols", "g.asc:1: ncols needs exactly one value"},
    {"ncols 3", "ncols 3 3", "g.asc:1: ncols needs exactly one value"},
    {"ncols 3", "ncols 1", "g.asc:1: ncols = 1, must be a whole number from 2 to 1000000"},
    {"ncols 3", "ncols 1000000000", "g.asc:1: ncols = 1e+09, must be a whole number from 2 to 1000000"},
    {"ncols 3", "ncols 3\nncols 3", "g.asc:2: ncols is given twice, first in line 1"},
    {"ncols 3", "ncolumns 3",
     "g.asc:1: 'ncolumns' is neither a number nor a header key (ncols, nrows, xllcorner, yllcorner, xllcenter, "
     "yllcenter, cellsize, dx, dy, NODATA_value)"},
    {"cellsize 10", "cellsize 0", "g.asc:5: cellsize = 0, must be > 0 (m)"},
    {"cellsize 10", "cellsize -10", "g.asc:5: cellsize = -10, must be > 0 (m)"},
    {"cellsize 10", "cellsize nan", "g.asc:5: 'nan' is not a finite number"},
    {"cellsize 10", "dx 10", "g.asc: the header has no dy"},
    {"cellsize 10", "dx 10\ndy 20", "g.asc:6: dx = 10 and dy = 20: cells must be square, resample the grid first"},
    {"cellsize 10", "cellsize 10\ndx 10\ndy 10", "g.asc:6: the header has both cellsize and dx or dy: give one"},
    {"xllcorner 0", "xllcorner 0\nxllcenter 5",
     "g.asc:5: the header mixes corner and center: give xllcorner and yllcorner, or xllcenter and yllcenter"},
    {"xllcorner 0", "xllcenter 0",
     "g.asc:4: the header mixes corner and center: give xllcorner and yllcorner, or xllcenter and yllcenter"},
    {"xllcorner 0", "xllcorner inf", "g.asc:3: 'inf' is not a finite number"},
    {"9 8 7\n", "", "g.asc: the file is truncated: it has 6 of 9 heights (3 rows of 3)"},
    {"6 5 4", "6 5", "g.asc:8: row 2 has 2 heights, expected 3"},
    {"9 8 7\n", "9 8 7\n1 1 1\n", "g.asc:10: the file has 12 heights, expected 9 (3 rows of 3)"},
    {"6 5 4", "6 x 4", "g.asc:8: 'x' is not a finite number"},
    {"6 5 4", "6 nan 4", "g.asc:8: 'nan' is not a finite number"},
    {"6 5 4", "6 1e300 4", "g.asc:8: height 1e+300 m: if it marks missing data, the header needs NODATA_value 1e+300"},
    {"6 5 4", "6 5,5 4", "g.asc:8: '5,5' is not a finite number"},
    {"6 5 4", "6 -9999 4",
     ":11: the release of sample 0 at x = 15, y = 15 is over missing data (NODATA) of the terrain", 2},
    {"NODATA_value -9999", "NODATA_value x", "g.asc:6: 'x' is not a finite number"},
    {"6 5 4", "6 1e9 4", "g.asc:8: height 1e+09 m: if it marks missing data, the header needs NODATA_value 1e+09"},
    {"cellsize 10", "cellsize 1e-9",
     ":11: the release of sample 0 at x = 15, y = 15 is outside the terrain, must be x from 5e-10 to 2.5e-09, y from "
     "5e-10 to 2.5e-09 (m)",
     2},
    {"ncols 3\n", "ncols;3\n",
     "g.asc:1: 'ncols;3' is neither a number nor a header key (ncols, nrows, xllcorner, yllcorner, xllcenter, "
     "yllcenter, cellsize, dx, dy, NODATA_value)"},
    {"ncols 3\n", "\211PNG\r\n\000\000\n"sv,
     "g.asc:1: '\\x89PNG' is neither a number nor a header key (ncols, nrows, xllcorner, yllcorner, xllcenter, "
     "yllcenter, cellsize, dx, dy, NODATA_value)"},
    {"ncols 3\n", "{ }\n",
     "g.asc:1: '{' is neither a number nor a header key (ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, "
     "cellsize, dx, dy, NODATA_value)"},
    {"3 2 1\n6 5 4\n9 8 7\n", "-9999 -9999 -9999\n-9999 -9999 -9999\n-9999 -9999 -9999\n",
     "g.asc: all 9 heights are NODATA"},
};

/// Meshes, points and tables, and the lines of the config that read them.
constexpr BadFile files[] = {
    {"forest = [{ file = 'f.csv', capacity = 1e5 }]", "x,y,dbh\n0,0,0.3\n",
     ": every release is inside a stem of the forest, in sample 0 one at x = 0, y = 0 (m)", 2},
    {"shape.file = 's.obj'", "", R"(shape "1" (s.obj): has 0 points, needs at least 4 that are not in one plane)"},
    {"shape.file = 's.obj'", "hello\n", "s.obj:1: unknown OBJ record 'hello'"},
    {"shape.file = 's.obj'", "v 0 0\n", "s.obj:1: a point needs three numbers x y z"},
    {"shape.file = 's.obj'", "v 0 0 x\n", "s.obj:1: 'x' is not a finite number"},
    {"shape.file = 's.obj'", "v 0 0 nan\n", "s.obj:1: 'nan' is not a finite number"},
    {"shape.file = 's.obj'", "v 0 0 0\nv 1 0 0\nv 0 1 0\n",
     R"(shape "1" (s.obj): has 3 points, needs at least 4 that are not in one plane)"},
    {"shape.file = 's.obj'", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n",
     R"(shape "1" (s.obj): is flat: 0 m thick and 1 m long, a rock needs a volume)"},
    {"shape.file = 's.obj'", "CUBEf 1 2\n", "s.obj:9: a face needs at least three vertices"},
    {"shape.file = 's.obj'", "CUBEf 1 2 9\n", "s.obj:9: a face uses vertex 9, but there are 8 so far"},
    {"shape.file = 's.obj'", "CUBEf 1 2 0\n", "s.obj:9: a face uses vertex 0, but there are 8 so far"},
    {"shape.file = 's.obj'", "CUBEf 1 2 -9\n", "s.obj:9: a face uses vertex -9, but there are 8 so far"},
    {"shape.file = 's.obj'", "CUBEf 1 2 x\n", "s.obj:9: 'x' is not a finite number"},
    {"shape.file = 's.obj'", "CUBEf 1 2 3\n",
     "s.obj:9: the surface is not closed: the edge between vertices 1 and 2 belongs to 1 face, must be 2"},
    {"shape.file = 's.obj'", "CUBEf 1 2 1.5\n", "s.obj:9: a face uses vertex 1.5, but there are 8 so far"},
    {"shape.file = 's.obj'", "CUBEf 1//1 2//2 3//3\n",
     "s.obj:9: the surface is not closed: the edge between vertices 1 and 2 belongs to 1 face, must be 2"},
    {"shape.file = 's.obj'", "CUBEv\n", "s.obj:9: a point needs three numbers x y z"},
    {"shape.file = 's.obj'", "CUBEvx 3\n", "s.obj:9: unknown OBJ record 'vx'"},
    {"shape.file = 's.obj'", "CUBEv 1e300 0 0\n",
     R"(shape "1" (s.obj): is flat: 1 m thick and 1e+300 m long, a rock needs a volume)"},
    {"shape.file = 's.obj'", "CUBEv 1,0 0 0\n", "s.obj:9: '1,0' is not a finite number"},
    {"shape.file = 's.obj'", "\211PNG\000\000\n"sv, "s.obj:1: unknown OBJ record '\\x89PNG\\x00\\x00'"},
    {"shape.file = 's.pts'", "0 0 0\n1 0\n", "s.pts:2: a point needs three numbers x y z"},
    {"shape.file = 's.pts'", "0,0,0\n", "s.pts:1: '0,0,0' is not a finite number"},
    {"shape.file = 's.pts'", "", R"(shape "1" (s.pts): has 0 points, needs at least 4 that are not in one plane)"},
    {"shape.file = 's.pts'", "0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n",
     R"(shape "1" (s.pts): is flat: 0 m thick and 0 m long, a rock needs a volume)"},
    {"shape.file = 's.xyz'", "0 0 0\n1 0 0\n",
     R"(shape "1" (s.xyz): has 2 points, needs at least 4 that are not in one plane)"},
    {"shape.file = 's.txt'", "0 0 0 0\n", "s.txt:1: a point needs three numbers x y z"},
    {"shape.file = 's.stl'", "solid\n",
     R"(shape "1" (s.stl): the name of its file must end in .obj, .pts, .xyz or .txt)"},
    {"shape.file = 's'", "v 0 0 0\n", R"(shape "1" (s): the name of its file must end in .obj, .pts, .xyz or .txt)"},
    {"start.table = 't.csv'", "", "t.csv: has no rows; must be a header line and at least one row"},
    {"start.table = 't.csv'", "\n", "t.csv: has no rows; must be a header line and at least one row"},
    {"start.table = 't.csv'", "x,y\n", "t.csv: has no rows; must be a header line and at least one row"},
    {"start.table = 't.csv'", "x,y\n1\n", "t.csv:2: the row has 1 values, must be 2 as in the header"},
    {"start.table = 't.csv'", "x,y\n1,2,3\n", "t.csv:2: the row has 3 values, must be 2 as in the header"},
    {"start.table = 't.csv'", "x,y\n1,two\n", "t.csv:2: y = 'two', must be a finite number"},
    {"start.table = 't.csv'", "x,y\n1,nan\n", "t.csv:2: y = 'nan', must be a finite number"},
    {"start.table = 't.csv'", "x,y\n1,\n", "t.csv:2: y = '', must be a finite number"},
    {"start.table = 't.csv'", "x,y\n1,0x10\n", "t.csv:2: y = '0x10', must be a finite number"},
    {"start.table = 't.csv'", "x,x\n1,2\n", "t.csv:1: column x is there twice"},
    {"start.table = 't.csv'", "x,\n1,2\n", "t.csv:1: column 2 has no name"},
    {"start.table = 't.csv'", "a,b\n1,2\n",
     ":11: no column of t.csv is called as a start; name them in [start.columns]. It has a, b", 2},
    {"start.table = 't.csv'", "x,y\n\"1,2\n", "t.csv:2: the row has 1 values, must be 2 as in the header"},
    {"start.table = 't.csv'", "x;y\n1;2\n",
     ":11: no column of t.csv is called as a start; name them in [start.columns]. It has x;y", 2},
    {"start.table = 't.csv'", "x,y\n1,2\n\000\n"sv, "t.csv:3: the row has 1 values, must be 2 as in the header"},
    {"start.table = 't.csv'", "shape\nball\n",
     R"(t.csv:2: shape = "ball" is not the name of a shape, must be one of 1)"},
    {"start.table = 't.csv'", "mass\n-1\n", "t.csv:2: start.mass = -1, must be >= 0 (kg)"},
    {"start.table = 't.csv'", "gap\n-1\n", "t.csv:2: start.gap = -1, must be >= 0 (m)"},
    {"start.table = 't.csv'", "orientation.w\n1\n", ":11: start.orientation needs four columns: w, x, y and z", 2},
    {"start.table = 't.csv'", "orientation.w,orientation.x,orientation.y,orientation.z\n0,0,0,0\n",
     "t.csv:2: the orientation is 0, must be a quaternion of length 1"},
    {"start.table = 't.csv'", "x,y\n1,1e300\n",
     "t.csv:2: start.position.y = 1e+300, must be a number of at most 1e60 in size (m)"},
    {"start.table = 't.csv'", "speed\nfast\n", "t.csv:2: speed = 'fast', must be a finite number"},
    {"start.table = 't.csv'", "position.x,x\n1,2\n",
     ":11: start.position.x varies here and again in start.table (m.toml:11): keep one of the two", 2},
    {"start.table = 't.csv'", "speed,start.speed\n1,2\n",
     ":11: start.speed varies here and again in start.table (m.toml:11): keep one of the two", 2},
    {"start.table = 't.csv'\nstart.columns.sped = 'v'", "v\n1\n", R"(:12: unknown start sped, did you mean "speed"?)",
     2},
    {"start.table = 't.csv'\nstart.columns.speed = 'w'", "v\n1\n",
     R"(:12: start.columns.speed = "w" is not a column of t.csv, did you mean "v"?)", 2},
    {"start.table = 't.csv'\nstart.columns.speed = 3", "v\n1\n",
     ":12: start.columns.speed = 3, must be a text in quotes", 2},
    {"start.table = 't.csv'\nstart.columns = {}", "v\n1\n", ":12: start.columns names no column of t.csv", 2},
    {"start.table = 't.csv'\nstart.columns = 'v'", "v\n1\n",
     R"(:12: start.columns = "v", must be a table of named values)", 2},
    {"start.table = 't.csv'\nstart.columns.velocity = 'v'", "v\n1\n",
     R"(:12: unknown start velocity, did you mean "velocity.x"?)", 2},
    {"start.table = 't.csv'\nvary.speed = { uniform = [1, 2] }", "speed\n1\n",
     ":12: start.speed varies here and again in start.table (m.toml:11): keep one of the two", 2},
    {"start.table = 't.csv'\nstart.set_down = true\nstart.position = [0, 0, 1]", "speed\n1\n",
     ":13: start.position gives a height, but start.set_down = true puts the body on the terrain: keep one of the two",
     2},
    {"vary.speed = { table = 't.csv' }", "x\n1\n", R"(:11: "start.speed" is not a column of t.csv, must be one of x)",
     2},
    {"vary.speed = { table = 't.csv' }", "speed\nx\n", "t.csv:2: speed = 'x', must be a finite number"},
    {"vary.speed = { table = 't.csv', column = 'sped' }", "speed\n1\n",
     R"(:11: "sped" is not a column of t.csv, did you mean "speed"?)", 2},
    {"vary.speed = { table = 't.csv', column = 3 }", "speed\n1\n",
     ":11: vary.speed.column = 3, must be a text in quotes", 2},
    {"vary.rock.friction_min = { table = 't.csv', column = 'f' }", "f\n-1\n",
     "t.csv:2: rock.friction_min = -1, must be >= 0 (dimensionless)"},
    {"observed = { table = 't.csv', column = 'runout', value = 'x' }", "v,w\n1,1\n",
     R"(:11: observed.value = "x" is not a column of t.csv, did you mean "v"?)", 2},
    {"observed = { table = 't.csv', column = 'runout', value = 'v' }", "v,w\nx,1\n",
     "t.csv:2: v = 'x', must be a finite number"},
    {"observed = { table = 't.csv', column = 'runout', value = 'v', group = 'w' }", "v,w\n1,ball\n",
     R"(t.csv:2: w = "ball" is not the name of a shape, must be one of 1)"},
    {"observed = { table = 't.csv', column = 'run', value = 'v' }", "v\n1\n",
     R"(:11: observed.column = "run", did you mean "runout"?)", 2},
    {"observed = { table = 't.csv', column = 'runout' }", "v\n1\n",
     ":11: observed.value is missing, must be a column of t.csv", 2},
};

/// Files that are no config.
constexpr BadText whole[] = {
    {"",
     ": system is missing, must be one of balls, coulomb, disc_box, disk, hard_discs, pair, projectile, rock, rotor, "
     "scatter, slider"},
    {"\n",
     ": system is missing, must be one of balls, coulomb, disc_box, disk, hard_discs, pair, projectile, rock, rotor, "
     "scatter, slider"},
    {"# only a comment\n",
     ": system is missing, must be one of balls, coulomb, disc_box, disk, hard_discs, pair, projectile, rock, rotor, "
     "scatter, slider"},
    {"\000"sv,
     ":1: not valid TOML: Error while parsing root table: expected keys, tables, whitespace or comments, saw "
     "'\\u0000'"},
    {"\377\376\000"sv, ":1: a key or a value has a letter beyond ASCII, put it in quotes"},
    {"\357\273\277",
     ": system is missing, must be one of balls, coulomb, disc_box, disk, hard_discs, pair, projectile, rock, rotor, "
     "scatter, slider"},
    {"hello world", ":1: not valid TOML: Error while parsing key-value pair: expected '=', saw 'w'"},
    {"{'system': 'rock'}",
     ":1: not valid TOML: Error while parsing root table: expected keys, tables, whitespace or comments, saw '{'"},
    {"<toml/>",
     ":1: not valid TOML: Error while parsing root table: expected keys, tables, whitespace or comments, saw '<'"},
    {"[[[[[[[[", ":1: not valid TOML: [ must be followed by the name of a table"},
    {"\211HDF\r\n\032\n", ": is a result, not a config; scree info shows it, scree run --extend goes on with it"},
    {"system = 'rock'\r",
     ":1: not valid TOML: Error while parsing key-value pair: expected '\\n' after '\\r', saw EOF"},
    {"system = '\377\376'\n", ":1: not valid TOML: Encountered invalid utf-8 sequence"},
    {"a=1\na=1\n", ":2: not valid TOML: Error while parsing key-value pair: cannot redefine existing integer 'a'"},
    {"a.b = 1\na = 2\n", ":2: not valid TOML: Error while parsing key-value pair: cannot redefine existing table 'a'"},
    {"[a]\n[a]\n", ":2: not valid TOML: Error while parsing table header: cannot redefine existing table 'a'"},
    {"x = 1\n[x.y]\n",
     ":2: not valid TOML: Error while parsing table header: cannot redefine existing integer 'x.y' as table"},
    {"[[shape]]\n[shape]\n",
     ":2: not valid TOML: Error while parsing table header: cannot redefine existing array 'shape' as table"},
};

constexpr BadCommand run_commands[] = {
    {"-", "did not expect -: a command is required; see scree --help"},
    {"--nonsense", "did not expect --nonsense: a command is required; see scree --help"},
    {"frobnicate",
     "unknown command frobnicate, must be one of run, compare, converge, replay, verify, bench, merge, export, report, "
     "build, info, list, completion, "
     "init, check; see scree --help"},
    {"runn m.toml", R"(unknown command runn, did you mean "run"?; see scree --help)"},
    {"Run m.toml", R"(unknown command Run, did you mean "run"?; see scree --help)"},
    {"-x", "did not expect -x: a command is required; see scree --help"},
    {"run", "run: CONFIG is required; see scree run --help"},
    {"run m.toml p.toml", "run: did not expect p.toml; see scree run --help"},
    {"run m.toml --sample 3", "run: unknown option --sample, did you mean --samples?"},
    {"run m.toml --samples", "run: --samples: 1 required N missing; see scree run --help"},
    {"run m.toml --samples 0",
     "run: --samples 0, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run m.toml --samples -5",
     "run: --samples -5, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run m.toml --samples 1.5",
     "run: --samples 1.5, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run m.toml --samples ten",
     "run: --samples ten, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run m.toml --samples ''",
     "run: --samples \"\", must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run m.toml --samples 1e30",
     "run: --samples 1e30, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run m.toml --samples 99999999999999999999",
     "run: --samples 99999999999999999999, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run m.toml --samples nan",
     "run: --samples nan, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run m.toml --seed -1",
     "run: --seed -1, must be a whole number from 0 to 9223372036854775807; see scree run --help"},
    {"run m.toml --seed x",
     "run: --seed x, must be a whole number from 0 to 9223372036854775807; see scree run --help"},
    {"run m.toml --seed 1.5",
     "run: --seed 1.5, must be a whole number from 0 to 9223372036854775807; see scree run --help"},
    {"run m.toml --threads 0", "run: --threads: 0, must be a whole number from 1 to 4096; see scree run --help"},
    {"run m.toml --threads -1", "run: --threads: -1, must be a whole number from 1 to 4096; see scree run --help"},
    {"run m.toml --threads 5000", "run: --threads: 5000, must be a whole number from 1 to 4096; see scree run --help"},
    {"run m.toml --threads two", "run: --threads: two, must be a whole number from 1 to 4096; see scree run --help"},
    {"run m.toml --threads 1.5", "run: --threads: 1.5, must be a whole number from 1 to 4096; see scree run --help"},
    {"run m.toml --backend gpu", "--backend gpu: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all"},
    {"run m.toml --backend ''", "--backend : must be one of auto, scalar, pack, cuda, cuda:K, cuda:all"},
    {"run m.toml --backend cuda:-1", "--backend cuda:-1: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all"},
    {"run m.toml --backend cuda:", "--backend cuda:: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all"},
    {"run m.toml --backend Scalar", "--backend Scalar: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all"},
    {"run m.toml --isa sse2", "run: --isa sse2, must be one of auto, baseline, avx2, avx512; see scree run --help"},
    {"run m.toml --isa ''", R"(run: --isa "", must be one of auto, baseline, avx2, avx512; see scree run --help)"},
    {"run m.toml --backend auto,pack",
     "--backend auto,pack: \"auto\" is none of several, must be scalar, pack or cuda:K"},
    {"run m.toml --backend pack,", "--backend pack,: \"\" is none of several, must be scalar, pack or cuda:K"},
    {"run m.toml --backend pack,scalar,pack", "--backend pack,scalar,pack: names pack twice"},
    {"run m.toml --backend pack,scalar --threads 1", "--threads 1: --backend pack,scalar needs 2"},
    {"run m.toml --backend pack,gpu", "--backend gpu: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all"},
    {"run m.toml --backend scalar --isa avx512", "--isa avx512 is for the pack backend, not for scalar"},
    {"run m.toml --grace -1", "run: --grace: -1, must be a number from 0 to 86400 (s); see scree run --help"},
    {"run m.toml --grace forever", "run: --grace: forever, must be a number from 0 to 86400 (s); see scree run --help"},
    {"run m.toml --grace 1e9", "run: --grace: 1e9, must be a number from 0 to 86400 (s); see scree run --help"},
    {"run m.toml --grace nan", "run: --grace: nan, must be a number from 0 to 86400 (s); see scree run --help"},
    {"run m.toml --scheme", "run: --scheme: 1 required NAME missing; see scree run --help"},
    {"run m.toml --scheme euler",
     R"(--scheme: scheme = "euler", must be one of explicit, implicit, implicit_cay, rk4)"},
    {"run m.toml --scheme ''", R"(--scheme: scheme = "", must be one of explicit, implicit, implicit_cay, rk4)"},
    {"run m.toml --scheme explicit,implicit",
     "--scheme: scheme = \"explicit,implicit\", must be one of explicit, implicit, implicit_cay, rk4"},
    {"run m.toml --scheme explicit --scheme implicit",
     "run: --scheme: At Most 1 required but received 2; see scree run --help"},
    {"run m.toml --set", "run: --set: 1 required KEY=VALUE missing; see scree run --help"},
    {"run m.toml --set step", R"(--set: "step" must be key=value, as rock.friction_min=0.4)"},
    {"run m.toml --set =3", R"(--set: "=3" must be key=value, as rock.friction_min=0.4)"},
    {"run m.toml --set step=", R"(--set: step = "", must be a number)"},
    {"run m.toml --set step=fast", R"(--set: step = "fast", must be a number)"},
    {"run m.toml --set steps=0.1", "--set: unknown key steps, did you mean step?"},
    {"run m.toml --set 'step 0.1'", R"(--set: "step 0.1" must be key=value, as rock.friction_min=0.4)"},
    {"run m.toml --set rock.gravity=-1", "--set: rock.gravity = -1, must be >= 0 (m/s^2)"},
    {"run m.toml --set rock..gravity=1",
     R"(--set: "rock..gravity" is not a key, as rock.friction_min or vary."start.speed")"},
    {"run m.toml --set .=1", R"(--set: "." is not a key, as rock.friction_min or vary."start.speed")"},
    {"run m.toml --set [rock]=1", R"(--set: "[rock]" is not a key, as rock.friction_min or vary."start.speed")"},
    {"run m.toml --set shape.mass=x", R"(--set: shape.mass = "x", must be a number)"},
    {"run m.toml --set samples=5 --samples 7", "--set samples=5 and --samples give the same: keep one of the two"},
    {"run m.toml --set seed=5 --seed 7", "--set seed=5 and --seed give the same: keep one of the two"},
    {"run m.toml --set scheme=rk4 --scheme implicit",
     "--set scheme=rk4 and --scheme give the same: keep one of the two"},
    {"run m.toml -o", "run: --output: 1 required FILE missing; see scree run --help"},
    {"run m.toml -o ''", R"(run: -o "": the name of the file is empty; see scree run --help)"},
    {"run m.toml -o -", "run: -o -: must be the name of a file, not stdout; see scree run --help"},
    {"run m.toml -o .", ".: the result is a file, but this names a folder"},
    {"run m.toml -o ..", "..: the result is a file, but this names a folder"},
    {"run m.toml -o /", "/: the result is a file, but this names a folder"},
    {"run m.toml -o no/such/r.h5", "no/such/r.h5: there is no folder no/such"},
    {"run m.toml -o r.h5", "r.h5: exists already; give another name, or --force to replace it"},
    {"run m.toml -o m.toml", "m.toml: is an input of this command, and would be replaced by its result"},
    {"run m.toml -o m.toml --force", "m.toml: is an input of this command, and would be replaced by its result"},
    {"run m.toml -o /dev/null --force", "/dev/null: the result is a file, but this names a device or a pipe"},
    {"run m.toml -o x.txt/r.h5", "x.txt/r.h5: there is no folder x.txt"},
    {"run m.toml --extend r.h5", "run: r.h5 holds its config; give --extend or m.toml, not both"},
    {"run --extend", "run: --extend: 1 required RESULT missing; see scree run --help"},
    {"run --extend no.h5", "no.h5: there is no such file", 3},
    {"run --extend x.txt", "x.txt: not an HDF5 file", 3},
    {"run --extend m.toml", "m.toml: not an HDF5 file", 3},
    {"run --extend r.h5 --samples 2", "r.h5: --samples 2, must be >= 4, which it has"},
    {"run --extend r.h5 --samples 9 --seed 2",
     "r.h5: a result is extended as it was made, without --set, --seed, --scheme, --columns, --maps and "
     "--no-maps"},
    {"run --extend r.h5 --samples 9 --set step=0.1",
     "r.h5: a result is extended as it was made, without --set, --seed, --scheme, --columns, --maps and "
     "--no-maps"},
    {"run --extend r.h5 --samples 9 --scheme rk4",
     "r.h5: a result is extended as it was made, without --set, --seed, --scheme, --columns, --maps and "
     "--no-maps"},
    {"run --extend r.h5 --samples 9 --columns range",
     "r.h5: a result is extended as it was made, without --set, --seed, --scheme, --columns, --maps and "
     "--no-maps"},
    {"run --extend r.h5 --until 'mean(range) +- 1 %' --at-most 2",
     "--at-most 2, must be >= 4, the samples of the first look"},
    {"run p.toml --until", "run: --until: 1 required TARGET missing; see scree run --help"},
    {"run p.toml --until ''", R"(--until "": must be STATISTIC(COLUMN) +- WIDTH, as "p95(runout) +- 1 %")"},
    {"run p.toml --until range", R"(--until "range": must be STATISTIC(COLUMN) +- WIDTH, as "p95(runout) +- 1 %")"},
    {"run p.toml --until 'mean(range)'",
     "--until \"mean(range)\": must go on with +- WIDTH after the column, as +- 1 %"},
    {"run p.toml --until 'mean(range) +- '", R"(--until "mean(range) +-": the width must be a number > 0, and is "")"},
    {"run p.toml --until 'mean(range) +- 0 %'",
     R"(--until "mean(range) +- 0 %": the width must be a number > 0, and is "0 %")"},
    {"run p.toml --until 'mean(range) +- -1 %'",
     R"(--until "mean(range) +- -1 %": the width must be a number > 0, and is "-1 %")"},
    {"run p.toml --until 'mean(range) +- nan %'",
     R"(--until "mean(range) +- nan %": the width must be a number > 0, and is "nan %")"},
    {"run p.toml --until 'mean(range) +- 1 kg'",
     R"(--until "mean(range) +- 1 kg": unit "kg", must be % or m for range)"},
    {"run p.toml --until 'mean(rnge) +- 1 %'",
     R"(--until "mean(rnge) +- 1 %": unknown column "rnge", did you mean "range"?)"},
    {"run p.toml --until 'mode(range) +- 1 %'",
     "--until \"mode(range) +- 1 %\": statistic \"mode\", must be mean, sd, median or a percentile between p0 and "
     "p100, as p95 or p97.5"},
    {"run p.toml --until 'p0(range) +- 1 %'",
     "--until \"p0(range) +- 1 %\": statistic \"p0\", must be mean, sd, median or a percentile between p0 and p100, as "
     "p95 or p97.5"},
    {"run p.toml --until 'p100(range) +- 1 %'",
     "--until \"p100(range) +- 1 %\": statistic \"p100\", must be mean, sd, median or a percentile between p0 and "
     "p100, as p95 or p97.5"},
    {"run p.toml --until 'p(range) +- 1 %'",
     "--until \"p(range) +- 1 %\": statistic \"p\", must be mean, sd, median or a percentile between p0 and p100, as "
     "p95 or p97.5"},
    {"run p.toml --until 'mean(range +- 1 %'",
     R"(--until "mean(range +- 1 %": must be STATISTIC(COLUMN) +- WIDTH, as "p95(runout) +- 1 %")"},
    {"run p.toml --until 'mean range +- 1 %'",
     R"(--until "mean range +- 1 %": must be STATISTIC(COLUMN) +- WIDTH, as "p95(runout) +- 1 %")"},
    {"run p.toml --until 'mean(range) 1 %'",
     R"(--until "mean(range) 1 %": must go on with +- WIDTH after the column, as +- 1 %)"},
    {"run p.toml --until 'mean(range) +- 1 %,'",
     R"(--until "": must be STATISTIC(COLUMN) +- WIDTH, as "p95(runout) +- 1 %")"},
    {"run p.toml --until 'mean(range) +- 1 % or so'",
     R"(--until "mean(range) +- 1 % or so": unit "% or so", must be % or m for range)"},
    {"run p.toml --at-most 5", "run: --at-most limits --until, which is not given"},
    {"run p.toml --until 'mean(range) +- 1 %' --at-most 2", "--at-most 2, must be >= 4, the samples of the first look"},
    {"run p.toml --until 'mean(range) +- 1 %' --at-most 0",
     "run: --at-most 0, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run p.toml --until 'mean(range) +- 1 %' --at-most lots",
     "run: --at-most lots, must be a whole number from 1 to 9223372036854775807; see scree run --help"},
    {"run two.toml", "two.toml: has the schemes rk4, euler; choose one with --scheme, or use `scree compare`"},
    {"run p.toml --steps 0.1", "run: did not expect --steps; see scree run --help"},
    {"run p.toml --json=yes", "run: --json takes no value; see scree run --help"},
    {"run p.toml --quiet=3", "run: --quiet takes no value; see scree run --help"},
    {"run /dev/null", "/dev/null: cannot be read: it is a device, not a file", 3},
    {"run .", ".: is a folder, not a config file"},
    {"run x.txt", "x.txt:1: not valid TOML: Error while parsing key-value pair: expected '=', saw '\\n'"},
    {"run ''", "run: CONFIG is required; see scree run --help"},
    {"run 'm.toml '", "m.toml : there is no such config file"},
    {"run m.toml --samples 3 --samples 4", "run: --samples: At Most 1 required but received 2; see scree run --help"},
    {"run --extend ''", R"(run: --extend: "", must be a name; see scree run --help)"},
    {"run z.h5", "z.h5: is a result, not a config; scree info shows it, scree run --extend goes on with it"},
};

constexpr BadCommand other_commands[] = {
    {"compare", "compare: CONFIG is required; see scree compare --help"},
    {"compare p.toml",
     "p.toml: has only the scheme rk4; name two or more with --schemes a,b, or steps with --steps, backends with "
     "--backends, other values with --arms, or use `scree run`"},
    {"compare no.toml", "no.toml: there is no such config file"},
    {"compare two.toml --schemes", "compare: --schemes: 1 required A,B missing; see scree compare --help"},
    {"compare two.toml --schemes rk4",
     "two.toml: has only the scheme rk4; name two or more with --schemes a,b, or steps with --steps, backends with "
     "--backends, other values with --arms, or use `scree run`"},
    {"compare two.toml --schemes rk4,rk4", R"(--schemes: scheme "rk4" is named twice)"},
    {"compare two.toml --schemes rk4,",
     "two.toml: has only the scheme rk4; name two or more with --schemes a,b, or steps with --steps, backends with "
     "--backends, other values with --arms, or use `scree run`"},
    {"compare two.toml --schemes rk4,rk5", R"(--schemes: scheme = "rk5", did you mean "rk4"?)"},
    {"compare two.toml --columns rnage", R"(--columns: columns = "rnage", did you mean "range"?)"},
    {"compare two.toml --columns apex,apex", R"(--columns: column "apex" is named twice)"},
    {"compare two.toml --columns", "compare: --columns: 1 required A,B missing; see scree compare --help"},
    {"compare two.toml --columns apex --set columns=['range']",
     "--set columns=[range] and --columns give the same: keep one of the two"},
    {"compare two.toml --scheme rk4", "compare: unknown option --scheme, did you mean --schemes?"},
    {"compare p.toml --steps 0.1",
     "p.toml: has only the scheme rk4; name two or more with --schemes a,b, or steps with --steps, backends with "
     "--backends, other values with --arms, or use `scree run`"},
    {"compare p.toml --steps 0.1,0.1", "--steps: the step 0.1 is named twice"},
    {"compare p.toml --steps 0.1,-0.1", "--steps -0.1, must be a time > 0 (s)"},
    {"compare p.toml --steps 0.1,0", "--steps 0, must be a time > 0 (s)"},
    {"compare p.toml --steps 0.1,x", "--steps x, must be a time > 0 (s)"},
    {"compare p.toml --steps 0.1,nan", "--steps nan, must be a time > 0 (s)"},
    {"compare p.toml --steps 0.1,100", "--steps: step = 100, must be <= end = 60 (s)"},
    {"compare p.toml --steps ,", "compare: --steps: 1 required H,H missing; see scree compare --help"},
    {"compare p.toml --steps ''", "--steps , must be a time > 0 (s)"},
    {"compare p.toml --backends scalar",
     "p.toml: has only the scheme rk4; name two or more with --schemes a,b, or steps with --steps, backends with "
     "--backends, other values with --arms, or use `scree run`"},
    {"compare p.toml --backends scalar,scalar", "--backends: backend scalar is named twice"},
    {"compare p.toml --backends scalar,gpu",
     "--backend gpu: must be one of auto, scalar, pack, cuda, cuda:K, cuda:all"},
    {"compare p.toml --backends scalar,pack --backend pack", "--backend and --backends exclude each other"},
    {"compare p.toml --published", "p.toml: has no [published] section, whose means --published judges"},
    {"compare p.toml --published --samples 4",
     "compare: --published runs nothing, so --samples has no meaning; see scree compare --help"},
    {"compare two.toml --published -o q.h5",
     "compare: --published runs nothing, so --output has no meaning; see scree compare --help"},
    {"compare two.toml --until 'mean(range) +- 1 %'", "compare: did not expect --until; see scree compare --help"},
    {"compare two.toml --halvings 2", "compare: did not expect --halvings; see scree compare --help"},
    {"compare r.h5", "r.h5: is a result, not a config; scree info shows it, scree run --extend goes on with it"},
    {"compare two.toml --step-error -o r.h5", "r.h5: exists already; give another name, or --force to replace it"},
    {"converge", "converge: CONFIG is required; see scree converge --help"},
    {"converge p.toml --halvings 0",
     "converge: --halvings: 0, must be a whole number from 1 to 10; see scree converge --help"},
    {"converge p.toml --halvings 11",
     "converge: --halvings: 11, must be a whole number from 1 to 10; see scree converge --help"},
    {"converge p.toml --halvings x",
     "converge: --halvings: x, must be a whole number from 1 to 10; see scree converge --help"},
    {"converge p.toml --schemes rk5", R"(--schemes: scheme = "rk5", did you mean "rk4"?)"},
    {"converge p.toml --steps 0.1,0.2", "converge: did not expect --steps; see scree converge --help"},
    {"converge p.toml --grace nan",
     "converge: --grace: nan, must be a number from 0 to 86400 (s); see scree converge --help"},
    {"replay", "replay: FILE is required; see scree replay --help"},
    {"replay p.toml", "replay: --sample is required; see scree replay --help"},
    {"replay no.toml --sample 0", "no.toml: there is no such config file"},
    {"replay p.toml --sample", "replay: --sample: 1 required I|A:B missing; see scree replay --help"},
    {"replay p.toml --sample x",
     "replay: --sample x, must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample -1",
     "replay: --sample -1, must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample 1.5",
     "replay: --sample 1.5, must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample 4", "p.toml: --sample 4, must be 0 to 3"},
    {"replay p.toml --sample 0:9", "p.toml: --sample 0:9, must be within 0:4"},
    {"replay p.toml --sample 3:1",
     "replay: --sample 3:1, must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample 1:1",
     "replay: --sample 1:1, must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample 0,0", "p.toml: --sample 0,0, names sample 0 twice"},
    {"replay p.toml --sample 0,",
     "replay: --sample 0,, must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample :",
     "replay: --sample :, must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample ''",
     "replay: --sample , must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample 99999999999999999999",
     "replay: --sample 99999999999999999999, must be the number of a sample, from 0, or a range A:B with A < B, ..."},
    {"replay p.toml --sample 0 --samples 1:2",
     "replay: --sample and --samples 1:2 both choose samples; see scree replay --help"},
    {"replay p.toml --samples 0",
     "replay: --samples 0, must be a whole number from 1 to 9223372036854775807; see scree replay --help"},
    {"replay p.toml --sample 0 --every 0",
     "replay: --every 0, must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s; see scree replay "
     "--help"},
    {"replay p.toml --sample 0 --every -1",
     "replay: --every -1, must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s; see scree "
     "replay --help"},
    {"replay p.toml --sample 0 --every x",
     "replay: --every x, must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s; see scree replay "
     "--help"},
    {"replay p.toml --sample 0 --every 0s",
     "replay: --every 0s, must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s; see scree "
     "replay --help"},
    {"replay p.toml --sample 0 --every 1m",
     "replay: --every 1m, must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s; see scree "
     "replay --help"},
    {"replay p.toml --sample 0 --every nans",
     "replay: --every nans, must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s; see scree "
     "replay --help"},
    {"replay p.toml --sample 0 --every 1e3",
     "replay: --every 1e3, must be a whole number of steps >= 1 or a time > 0 in seconds, as 0.1 or 2s; see scree "
     "replay --help"},
    {"replay p.toml --sample 0 --events --every 2",
     "replay: --events takes the place of rows, so --every has no meaning; see scree replay --help"},
    {"replay p.toml --sample 0 -o path.txt", "path.txt: a path is written as .csv or .h5"},
    {"replay p.toml --sample 0 -o path", "path: a path is written as .csv or .h5"},
    {"replay p.toml --sample 0 -o .csv/", ".csv/: a path is written as .csv or .h5"},
    {"replay p.toml --sample 0 -o b.csv", "b.csv: exists already; give another name, or --force to replace it"},
    {"replay p.toml --sample 0 -o p.toml", "p.toml: a path is written as .csv or .h5"},
    {"replay p.toml --sample 0 --scheme rk5", R"(p.toml: --scheme rk5, did you mean "rk4"?)"},
    {"replay two.toml --sample 0", "two.toml: has the schemes rk4, euler; choose one with --scheme"},
    {"replay r.h5 --sample 4", "r.h5: --sample 4, must be 0 to 3"},
    {"replay r.h5 --sample 0 --seed 2",
     "r.h5: a result is replayed as it was made, without --set, --samples N and --seed"},
    {"replay r.h5 --sample 0 --set step=0.1",
     "r.h5: a result is replayed as it was made, without --set, --samples N and --seed"},
    {"replay r.h5 --sample 0 --samples 9",
     "r.h5: a result is replayed as it was made, without --set, --samples N and --seed"},
    {"replay x.txt --sample 0", "x.txt:1: not valid TOML: Error while parsing key-value pair: expected '=', saw '\\n'"},
    {"replay z.h5 --sample 0", "z.h5: not an HDF5 file", 3},
    {"replay p.toml --sample 0 --events -o r.h5", "r.h5: exists already; give another name, or --force to replace it"},
    {"info", "info: RESULT is required; see scree info --help"},
    {"report", "report: RESULT is required; see scree report --help"},
    {"info no.h5", "no.h5: there is no such file", 3},
    {"info .", ".: is a folder or a device, not a file", 3},
    {"info m.toml", "m.toml: not an HDF5 file", 3},
    {"info x.txt", "x.txt: not an HDF5 file", 3},
    {"info r.h5 r.h5", "info: did not expect r.h5; see scree info --help"},
    {"info /dev/null", "/dev/null: is a folder or a device, not a file", 3},
    {"info r.h5 --columns rnage", R"(--columns: r.h5 has no column "rnage", did you mean "range"?)"},
    {"info r.h5 --columns apex,apex", R"(--columns: column "apex" is named twice)"},
    {"info r.h5 --samples 3", "info: did not expect --samples; see scree info --help"},
    {"check", "check: CONFIG is required; see scree check --help"},
    {"check no.toml", "no.toml: there is no such config file"},
    {"check .", ".: is a folder, not a config file"},
    {"check r.h5", "r.h5: is a result, not a config; scree info shows it, scree run --extend goes on with it"},
    {"check /dev/null", "/dev/null: cannot be read: it is a device, not a file", 3},
    {"check m.toml --scheme rk4", "check: did not expect --scheme; see scree check --help"},
    {"check m.toml --samples 0",
     "check: --samples 0, must be a whole number from 1 to 9223372036854775807; see scree check --help"},
    {"check m.toml --json --jsn", "check: unknown option --jsn, did you mean --json?"},
    {"check z.h5", "z.h5: is a result, not a config; scree info shows it, scree run --extend goes on with it"},
    {"init", "init: SYSTEM is required; see scree init --help"},
    {"init rok", R"(init: unknown system "rok", did you mean "rock"?)"},
    {"init rock slider", "init: did not expect slider; see scree init --help"},
    {"init ''",
     "init: unknown system \"\", must be one of balls, coulomb, disc_box, disk, hard_discs, pair, projectile, rock, "
     "rotor, scatter, slider"},
    {"init --all", "init: did not expect --all; see scree init --help"},
    {"list rok", R"(list: unknown system "rok", did you mean "rock"?)"},
    {"list rock slider", "list: did not expect slider; see scree list --help"},
    {"list ''", R"(list: SYSTEM: "", must be a name; see scree list --help)"},
    {"list --jsn", "list: unknown option --jsn, did you mean --json?"},
    {"verify --only rotr", R"(verify --only rotr, did you mean "rotor"?)"},
    {"export r.h5 --to geotiff -o d", "r.h5: has no maps, which --to geotiff writes"},
    {"export r.h5 --to shapefile -o d", "--to shapefile, must be one of geotiff, asc, gpkg, geojson, csv, vtp"},
    {"export r.h5 --to geotif -o d", R"(--to geotif, did you mean "geotiff"?)"},
    {"report r.h5 --layers passages -o d.html", "--layers: r.h5 has no maps"},
    {"verify --only ''", R"(verify: --only: "", must be a name; see scree verify --help)"},
    {"verify --baseline no.csv", "no.csv: cannot be read: No such file or directory", 3},
    {"verify --baseline x.txt", "x.txt: has no rows; must be a header line and at least one row", 3},
    {"verify --baseline b.csv", "b.csv: has no rows; must be a header line and at least one row", 3},
    {"verify --baseline .", ".: cannot be read: Is a directory", 3},
    {"verify --write-baseline b.csv", "b.csv: exists already; give another name, or --force to replace it"},
    {"verify --write-baseline no/such.csv", "no/such.csv: there is no folder no"},
    {"verify --write-baseline .", ".: the result is a file, but this names a folder"},
    {"verify --threads 0", "verify: --threads: 0, must be a whole number from 1 to 4096; see scree verify --help"},
    {"verify --only rotor --json --long=x", "verify: --long takes no value; see scree verify --help"},
    {"verify extra", "verify: did not expect extra; see scree verify --help"},
    {"verify --baseline ''", R"(verify: --baseline: "", must be a name; see scree verify --help)"},
    {"verify --write-baseline ''", R"(verify: --write-baseline: "", must be a name; see scree verify --help)"},
    {"bench --only rok",
     "bench --only rok, must be one of slider, cap, pair, rotor, projectile, coulomb, disk, rock_flight, rock_contact, "
     "rock_soil, rock_grid, rock_maps, grid_maps, hard_discs, balls, scatter, disc_box, lorenz"},
    {"bench --samples 0",
     "bench: --samples 0, must be a whole number from 1 to 1e12, as 1000 or 1e3; see scree bench --help"},
    {"bench --samples 1.5",
     "bench: --samples 1.5, must be a whole number from 1 to 1e12, as 1000 or 1e3; see scree bench --help"},
    {"bench --samples x",
     "bench: --samples x, must be a whole number from 1 to 1e12, as 1000 or 1e3; see scree bench --help"},
    {"bench --samples 1e13",
     "bench: --samples 1e13, must be a whole number from 1 to 1e12, as 1000 or 1e3; see scree bench --help"},
    {"bench --rounds 0", "bench: --rounds: 0, must be a whole number from 1 to 1000; see scree bench --help"},
    {"bench --rounds 1001", "bench: --rounds: 1001, must be a whole number from 1 to 1000; see scree bench --help"},
    {"bench --limit 0", "bench: --limit: 0, must be a number > 0; see scree bench --help"},
    {"bench --limit -1", "bench: --limit: -1, must be a number > 0; see scree bench --help"},
    {"bench --limit x", "bench: --limit: x, must be a number > 0; see scree bench --help"},
    {"bench --csv b.csv", "b.csv: exists already; give another name, or --force to replace it"},
    {"bench --csv ''", R"(bench: --csv "": the name of the file is empty; see scree bench --help)"},
    {"bench --csv no/such.csv", "no/such.csv: there is no folder no"},
    {"bench --threads 0", "bench: --threads: 0, must be a whole number from 1 to 4096; see scree bench --help"},
    {"bench extra", "bench: did not expect extra; see scree bench --help"},
    {"bench --only ''", R"(bench: --only: "", must be a name; see scree bench --help)"},
};

/// Files that are no result any more, made from one that is, and what is said of them.
struct BadResult {
  const char* what;
  void (*damage)(std::string& bytes);
  const char* said;
};
constexpr const char* damaged = "was damaged after it was written: its bytes do not give the checksum at its end";
constexpr BadResult results[] = {
    {"a flipped bit in the middle", [](std::string& bytes) { bytes[bytes.size() / 2] ^= 1; }, damaged},
    {"a flipped bit in the signature", [](std::string& bytes) { bytes[1] ^= 1; }, damaged},
    {"a flipped bit in the checksum", [](std::string& bytes) { bytes[bytes.size() - 3] ^= 1; }, damaged},
    {"a flipped bit in the seal's mark", [](std::string& bytes) { bytes[bytes.size() - 40] ^= 1; }, damaged},
    {"a byte less", [](std::string& bytes) { bytes.erase(3000, 1); }, damaged},
    {"a byte more", [](std::string& bytes) { bytes.insert(3000, "x"); }, damaged},
    {"a line more", [](std::string& bytes) { bytes += "end\n"; }, damaged},
    {"two in one", [](std::string& bytes) { bytes += bytes; }, damaged},
    {"4 kB of zeros", [](std::string& bytes) { bytes.replace(8192, 4096, 4096, '\0'); }, damaged},
    {"a tail of zeros", [](std::string& bytes) { bytes.replace(bytes.size() - 60, 60, 60, '\0'); }, damaged},
    {"half of it", [](std::string& bytes) { bytes.resize(bytes.size() / 2); }, "truncated file: it has ..."},
    {"its first bytes", [](std::string& bytes) { bytes.resize(100); }, "truncated file: it has ..."},
    {"its signature", [](std::string& bytes) { bytes.resize(8); }, "cannot be read as an HDF5 file: ..."},
    {"nothing", [](std::string& bytes) { bytes.clear(); }, "not an HDF5 file"},
    {"a text", [](std::string& bytes) { bytes = "x,y\n1,2\n"; }, "not an HDF5 file"},
    {"zeros", [](std::string& bytes) { bytes.assign(5000, '\0'); }, "not an HDF5 file"}};

/// Of all tables; each result is given to three commands.
constexpr std::size_t all_cases = std::size(syntax) + std::size(types) + std::size(keys) + std::size(values) +
                                  std::size(laws) + std::size(shapes) + std::size(watched) + std::size(on_grid) +
                                  std::size(odd) + std::size(grids) + std::size(files) + std::size(whole) +
                                  std::size(run_commands) + std::size(other_commands) + 3 * std::size(results);
static_assert(all_cases == 1089);

/// Of each system a config that is right.
std::string right_config(const std::string& system) {
  const std::map<std::string, std::string> schemes{{"balls", "events"},
                                                   {"disc_box", "rk4_events"},
                                                   {"hard_discs", "events"},
                                                   {"scatter", "exact"},
                                                   {"rock", "implicit"}};
  const auto scheme = schemes.find(system);
  std::string text = "system = \"" + system + "\"\nscheme = \"" + (scheme == schemes.end() ? "rk4" : scheme->second) +
                     "\"\nsamples = 4\nstep = 0.01\nend = 1.0\n";
  if (system == "coulomb") text += "start.position = [[-1.0, 0.0], [1.0, 0.0]]\n";
  if (system == "rock" || system == "slider" || system == "pair")
    text += "terrain.kind = \"plane\"\nterrain.slope = 30.0\n";
  if (system == "rock") text += "shape.kind = \"cuboid\"\nshape.size = [1.0, 1.0, 1.0]\nshape.mass = 2700.0\n";
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string key_of(const std::string& line) { return line.substr(0, line.find_first_of(" =")); }

/// The right config with those lines.
std::string config_with(const std::string& system, const std::string& changes) {
  std::vector<std::string> lines = lines_of(right_config(system));
  for (const std::string& change : lines_of(changes)) {
    const bool drops = change[0] == '!';
    const std::string key = key_of(drops ? change.substr(1) : change);
    auto there = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) { return key_of(line) == key; });
    if (drops)
      lines.erase(there);
    else if (there != lines.end() && change.find('=') != std::string::npos)
      *there = change;
    else
      lines.push_back(change);
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// "run 'a b' c" as words.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, begun = false;
  for (const char c : line) {
    if (c == '\'') quoted = !quoted;
    if (c == ' ' && !quoted) {
      if (begun) words.push_back(word);
      word.clear();
    } else if (c != '\'') {
      word += c;
    }
    begun = c != ' ' || quoted;
  }
  if (begun) words.push_back(word);
  return words;
}

std::string replaced(std::string text, std::string_view was, std::string_view is) {
  const std::size_t at = text.find(was);
  return at == std::string::npos ? text : text.replace(at, was.size(), is);
}

class BadInput : public Cli {
 protected:
  /// What the program answers; the test fails if it does not end by itself, or computes for more than 2 s. A machine
  /// that is busy with other things may let it wait.
  Outcome answer(const std::vector<std::string>& arguments) {
    ++cases_;
    const pid_t pid = start(arguments, "stdout");
    int status = 0;
    rusage used{};
    for (int waited = 0; wait4(pid, &status, WNOHANG, &used) == 0; ++waited) {
      usleep(1000);
      if (waited == 20'000) kill(pid, SIGKILL);
    }
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    const Outcome outcome = printed(ended(status, used));
    EXPECT_LT(outcome.computed, 2.0);
    return outcome;
  }
  /// Fails the test unless the program refuses with this code and this one line.
  void expect_refused(const std::vector<std::string>& arguments, int code, const std::string& line) {
    const Outcome outcome = answer(arguments);
    EXPECT_EQ(outcome.code, code);
    EXPECT_EQ(outcome.out, "");
    const std::string said = "scree: " + line;
    if (said.ends_with(" ...")) {
      const std::string begin = said.substr(0, said.size() - 4);
      EXPECT_EQ(outcome.err.substr(0, begin.size()), begin);
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
      EXPECT_TRUE(outcome.err.ends_with('\n'));
    } else {
      EXPECT_EQ(outcome.err, said + "\n");
    }
  }
  /// What is said of the config begins with a colon.
  static std::string of_config(const std::string& said) { return (said[0] == ':' ? "m.toml" : "") + said; }
  template <std::size_t count>
  void expect_all_refused(const BadConfig (&table)[count]) {
    for (const BadConfig& bad : table) {
      SCOPED_TRACE(std::string(bad.system) + ": " + bad.lines);
      write("m.toml", config_with(bad.system, bad.lines));
      expect_refused({"check", "m.toml"}, bad.code, of_config(bad.said));
    }
    EXPECT_EQ(cases_, count);
  }
  template <std::size_t count>
  void expect_all_refused(const BadCommand (&table)[count]) {
    write("m.toml", config_with("rock", "seed = 1"));
    write("p.toml", config_with("projectile", "end = 60.0\nvary.angle = { uniform = [0.1, 1.5] }"));
    write("two.toml", config_with("projectile", "end = 60.0\nscheme = ['rk4', 'euler']"));
    write("x.txt", "x\n");
    write("z.h5", "not HDF5\n");
    write("b.csv", "group,claim,verdict\n");
    ASSERT_EQ(scree({"run", "p.toml", "-o", "r.h5", "--quiet"}).code, 0);
    const auto files = [&] {
      std::map<std::string, std::string> all;
      for (const char* name : {"m.toml", "p.toml", "two.toml", "x.txt", "z.h5", "b.csv", "r.h5"})
        all[name] = read(name);
      return all;
    };
    const std::map<std::string, std::string> before = files();
    for (const BadCommand& bad : table) {
      SCOPED_TRACE(bad.words);
      expect_refused(words_of(bad.words), bad.code, bad.said);
    }
    EXPECT_EQ(cases_, count);
    EXPECT_EQ(files(), before);
  }

  std::size_t cases_ = 0;
};

/// Or each refusal below might have another cause.
TEST_F(BadInput, OfRightConfigsNoneIsRefused) {
  for (const char* system : {"balls", "coulomb", "disc_box", "disk", "hard_discs", "pair", "projectile", "rock",
                             "rotor", "scatter", "slider"}) {
    write("m.toml", config_with(system, "seed = 1"));
    const Outcome outcome = answer({"check", "m.toml"});
    EXPECT_EQ(outcome.code, 0) << system;
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_EQ(cases_, 11u);
}

TEST_F(BadInput, WhatIsNoTomlIsRefusedWithItsLine) { expect_all_refused(syntax); }
TEST_F(BadInput, WrongTypesAreRefused) { expect_all_refused(types); }
TEST_F(BadInput, UnknownKeysAreRefused) { expect_all_refused(keys); }
TEST_F(BadInput, ValuesThatASystemCannotHaveAreRefused) { expect_all_refused(values); }
TEST_F(BadInput, LawsThatDrawNothingSoundAreRefused) { expect_all_refused(laws); }
TEST_F(BadInput, TerrainsAndShapesThatCannotBeAreRefused) { expect_all_refused(shapes); }
TEST_F(BadInput, MapsLinesAndForestsThatCannotBeAreRefused) { expect_all_refused(watched); }
TEST_F(BadInput, CommandsOfRunsAreRefused) { expect_all_refused(run_commands); }
TEST_F(BadInput, CommandsOfOthersAreRefused) { expect_all_refused(other_commands); }

TEST_F(BadInput, OddConfigsAreWarnedOf) {
  for (const OddConfig& one : odd) {
    SCOPED_TRACE(std::string(one.system) + ": " + one.lines);
    write("m.toml", config_with(one.system, one.lines));
    const Outcome outcome = answer({"check", "m.toml"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(outcome.out.starts_with("m.toml: ok\n")) << outcome.out;
    EXPECT_EQ(outcome.err, std::string(one.warning) + "\n");
  }
  EXPECT_EQ(cases_, std::size(odd));
}

TEST_F(BadInput, GridsThatAreNoneAreRefused) {
  const std::string grid =
      "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n3 2 1\n6 5 4\n9 8 7\n";
  const std::string config = config_with(
      "rock", "terrain.kind = 'grid'\n!terrain.slope\nterrain.file = 'g.asc'\nstart.position = [15.0, 15.0]");
  write("m.toml", config);
  write("g.asc", grid);
  EXPECT_EQ(scree({"check", "m.toml"}).code, 0);
  for (const BadGrid& bad : grids) {
    SCOPED_TRACE(std::string(bad.was) + " -> " + std::string(bad.is));
    write("g.asc", replaced(grid, bad.was, bad.is));
    expect_refused({"check", "m.toml"}, bad.code, of_config(bad.said));
  }
  EXPECT_EQ(cases_, std::size(grids));
}

TEST_F(BadInput, MapsAndLinesThatAreNotOnAGridAreRefused) {
  if (!object({"--version", "--json"})["parts"]["gis"].get<bool>()) GTEST_SKIP() << "the program has no PROJ";
  write("g.asc", "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\n3 2 1\n6 5 4\n9 8 7\n");
  const auto line_in = [](const std::string& crs) {
    return R"({"type": "LineString", "crs": {"type": "name", "properties": {"name": ")" + crs +
           R"("}}, "coordinates": [[10, 10], [10, 20]]})";
  };
  write("line.geojson", line_in("urn:ogc:def:crs:EPSG::32632"));
  write("degrees.geojson", line_in("EPSG:4326"));
  write("broken.tif", std::string("II*\0\x08\0\0\0\xff\xff", 10));
  const std::string grid =
      "terrain.kind = 'grid'\n!terrain.slope\nterrain.file = 'g.asc'\nstart.position = [15.0, 15.0]\n";
  for (const BadConfig& bad : on_grid) {
    SCOPED_TRACE(bad.lines);
    write("m.toml", config_with(bad.system, grid + bad.lines));
    expect_refused({"check", "m.toml"}, bad.code, of_config(bad.said));
  }
  EXPECT_EQ(cases_, std::size(on_grid));
}

TEST_F(BadInput, MeshesPointsAndTablesThatAreNoneAreRefused) {
  const char* cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n";
  for (const BadFile& bad : files) {
    SCOPED_TRACE(std::string(bad.lines) + ": " + std::string(bad.content));
    std::string lines = bad.lines;
    const std::size_t name = lines.find('\'') + 1;
    write(lines.substr(name, lines.find('\'', name) - name), replaced(std::string(bad.content), "CUBE", cube));
    if (lines.starts_with("shape.file")) lines = "shape.kind = 'file'\n!shape.size\n" + lines;
    write("m.toml", config_with("rock", lines));
    expect_refused({"check", "m.toml"}, bad.code, of_config(bad.said));
  }
  EXPECT_EQ(cases_, std::size(files));
}

TEST_F(BadInput, FilesThatAreNoConfigAreRefused) {
  for (const BadText& bad : whole) {
    SCOPED_TRACE(std::string(bad.content));
    write("m.toml", std::string(bad.content));
    expect_refused({"run", "m.toml"}, bad.code, of_config(bad.said));
  }
  EXPECT_EQ(cases_, std::size(whole));
}

/// The numbers of what is accepted exist: a stone of 1 km that falls off the edge of a grid of 60 m, its centre last,
/// does not jump over ground that is not there, and nothing is a multiple of a published 0.
TEST_F(BadInput, WhatIsAcceptedHasNumbers) {
  write("g.asc",
        "ncols 6\nnrows 5\nxllcorner 0\nyllcorner 0\ncellsize 10\n21 17 14 10 7 3\n21 17 14 10 7 3\n"
        "21 17 14 10 7 3\n21 17 14 10 7 3\n21 17 14 10 7 3\n");
  write("m.toml",
        config_with("rock",
                    "terrain.kind = 'grid'\n!terrain.slope\nterrain.file = 'g.asc'\nstep = 0.005\nend = 20.0\n"
                    "shape.kind = 'points'\n!shape.size\nshape.mass = 700.0\n"
                    "shape.points = [[0, 0, 0], [1, 0, 0], [1000, 1, 0], [0, 0, 1], [1, 1, 1]]\n"
                    "start.position = [14, 21]\nstart.speed = 2.5\nvary.orientation = 'uniform'\nsamples = 40"));
  const nlohmann::json result = object({"run", "m.toml", "--json", "--quiet"});
  EXPECT_GT(result["status"]["left_terrain"], 0);
  EXPECT_LT(result["statistics"]["jump_max"]["max"], 2000.0);
  EXPECT_LT(result["statistics"]["jump_mean"]["max"], 2000.0);

  write("m.toml", config_with("projectile",
                              "end = 60.0\npublished.source = 'A'\n"
                              "published.row = [{ column = 'range', scheme = 'rk4', mean = 0, sd = 1 }]"));
  const Outcome outcome = answer({"run", "m.toml", "--quiet"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("published: mean (sd)"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("inf"), std::string::npos) << outcome.out;
}

/// Six extremes along three axes may be three points.
TEST_F(BadInput, ManyPointsOnACurveAreAShape) {
  std::ostringstream points;
  for (int i = 0; i < 60; ++i) points << i << ' ' << i * i << ' ' << i * i * i << '\n';
  write("s.pts", points.str());
  write("m.toml", config_with("rock", "shape.kind = 'file'\n!shape.size\nshape.file = 's.pts'"));
  const Outcome outcome = answer({"check", "m.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("its convex hull has 60 corners, of which 48 are kept"), std::string::npos) << outcome.err;
}

/// libhdf5 would wait for ever for one, and crash over another.
TEST_F(BadInput, DamagedAndForeignResultsAreRefused) {
  write("p.toml", config_with("projectile", "vary.angle = { uniform = [0.1, 1.5] }"));
  ASSERT_EQ(scree({"run", "p.toml", "-o", "r.h5", "--quiet"}).code, 0);
  const std::string whole_result = read("r.h5");
  for (const BadResult& bad : results) {
    SCOPED_TRACE(bad.what);
    std::string bytes = whole_result;
    bad.damage(bytes);
    write("r.h5", bytes);
    const std::string said = std::string("r.h5: ") + bad.said;
    expect_refused({"info", "r.h5"}, 3, said);
    expect_refused({"replay", "r.h5", "--sample", "1"}, 3, said);
    expect_refused({"run", "--extend", "r.h5", "--samples", "9"}, 3, said);
    EXPECT_EQ(read("r.h5"), bytes);
  }
  EXPECT_EQ(cases_, 3 * std::size(results));
}

}  // namespace
}  // namespace scree
