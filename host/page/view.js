// The terrain in three dimensions, with the layer of the map over it, and the paths. Heights are to scale.
async function view(shownMap) {
  if (!has("view")) return;
  const figure = figureOf("view");
  const probe = document.createElement("canvas");
  if (typeof THREE === "undefined" || !(probe.getContext("webgl") || probe.getContext("experimental-webgl"))) {
    add(figure, "p", { class: "caption" },
        "This browser draws nothing in three dimensions (no WebGL); the map is above.");
    return marks("view", 0);
  }
  const { m, heights, paths } = shownMap;
  const buttons = add(figure, "p", { class: "controls" });
  const width = Math.max(300, Math.min(figure.clientWidth || 800, 1060)), height = Math.round(width * 0.6);
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
  renderer.setSize(width, height, false);
  renderer.setClearColor(0xffffff);
  const canvas = renderer.domElement;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("tabindex", "0");
  canvas.setAttribute("aria-label", figure.dataset.sentence);
  figure.append(canvas);

  // Metres from the middle of the map, at the height of its lowest point: float32 has too few digits for coordinates of
  // a country. x to the east, y up, z to the south.
  const middleX = m.west + m.columns * m.cell / 2, middleY = m.north - m.rows * m.cell / 2;
  const known = heights.filter((h) => !Number.isNaN(h)), base = d3.min(known);
  const place = (x, y, z) => [x - middleX, z - base, middleY - y];
  const stride = Math.max(1, Math.ceil(Math.max(m.columns, m.rows) / 256));
  const columns = Math.ceil(m.columns / stride), rows = Math.ceil(m.rows / stride);
  const positions = [], uvs = [], triangles = [];
  const cellOf = (k, count) => Math.min(count - 1, k * stride);
  const at = (column, row) => heights[cellOf(row, m.rows) * m.columns + cellOf(column, m.columns)];
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      const h = at(column, row);
      const u = (cellOf(column, m.columns) + 0.5) / m.columns, v = (cellOf(row, m.rows) + 0.5) / m.rows;
      positions.push(...place(m.west + u * m.columns * m.cell, m.north - v * m.rows * m.cell,
                              Number.isNaN(h) ? base : h));
      uvs.push(u, 1 - v);
      if (column + 1 < columns && row + 1 < rows) {
        const corners = [at(column, row), at(column + 1, row), at(column, row + 1), at(column + 1, row + 1)];
        if (corners.some(Number.isNaN)) continue;
        const i = row * columns + column;
        triangles.push(i, i + columns, i + 1, i + 1, i + columns, i + columns + 1);
      }
    }
  const ground = new THREE.BufferGeometry();
  ground.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  ground.setAttribute("uv", new THREE.Float32BufferAttribute(uvs, 2));
  ground.setIndex(triangles);
  const drape = document.createElement("canvas");
  drape.width = Math.min(2048, m.columns * Math.ceil(1024 / m.columns));
  drape.height = Math.min(2048, m.rows * Math.ceil(1024 / m.rows));
  const texture = new THREE.CanvasTexture(drape);
  texture.minFilter = THREE.LinearFilter;
  const scene = new THREE.Scene();
  scene.add(new THREE.Mesh(ground, new THREE.MeshBasicMaterial({ map: texture, side: THREE.DoubleSide,
                                                                 polygonOffset: true, polygonOffsetFactor: 1,
                                                                 polygonOffsetUnits: 1 })));
  const size = Math.max(m.columns, m.rows) * m.cell;
  const lines = paths.map((path) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(path.xyz.flatMap((p) => place(...p)), 3));
    const material = new THREE.LineBasicMaterial({ color: armColour(path.arm), transparent: true, opacity: 0.6 });
    const line = new THREE.Line(geometry, material);
    scene.add(line);
    return { path, line, material };
  });
  const chosenTubes = new THREE.Group();
  scene.add(chosenTubes);

  const camera = new THREE.PerspectiveCamera(40, width / height, size / 1000, size * 20);
  const controls = new THREE.OrbitControls(camera, canvas);
  controls.enableKeys = false;
  // A wheel and a finger scroll the page until the view has the focus; a mouse turns it at once.
  controls.enabled = false;
  canvas.addEventListener("focus", () => { controls.enabled = true; });
  canvas.addEventListener("blur", () => { controls.enabled = false; });
  canvas.addEventListener("pointerdown", (event) => { if (event.pointerType === "mouse") canvas.focus(); });
  canvas.addEventListener("click", () => canvas.focus());
  canvas.addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
    if (!turn) return;
    event.preventDefault();
    const at = new THREE.Spherical().setFromVector3(camera.position.clone().sub(controls.target));
    at.theta += turn[0];
    at.phi = Math.min(Math.PI / 2, Math.max(0.05, at.phi - turn[1]));
    camera.position.setFromSpherical(at).add(controls.target);
    controls.update();
    draw();
  });
  const draw = () => renderer.render(scene, camera);
  controls.addEventListener("change", draw);
  const target = new THREE.Vector3(0, (d3.max(known) - base) / 3, 0);
  const southEast = [0.7, 0.7, 1.05];
  function from(x, y, z) {
    controls.target.copy(target);
    camera.position.set(target.x + x * size, target.y + y * size, target.z + z * size);
    controls.update();
    draw();
  }
  for (const [text, ...where] of [["From the south-east", ...southEast], ["From the south", 0, 0.5, 1.1],
                                  ["From the west", -1.1, 0.5, 0.001], ["From above", 0, 1.4, 0.001]])
    add(buttons, "button", { type: "button" }, text).addEventListener("click", () => from(...where));
  for (const [text, by] of [["Closer", 0.7], ["Farther", 1 / 0.7]])
    add(buttons, "button", { type: "button" }, text).addEventListener("click", () => {
      camera.position.sub(controls.target).multiplyScalar(by).add(controls.target);
      controls.update();
      draw();
    });

  const relief = new Image();
  relief.src = "data:image/png;base64," + m.relief;
  await relief.decode();
  shownMap.whenLayer.push((layer, opacity) => {
    const context = drape.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.globalAlpha = 1;
    context.fillStyle = "#fff";
    context.fillRect(0, 0, drape.width, drape.height);
    context.drawImage(relief, 0, 0, drape.width, drape.height);
    context.globalAlpha = opacity;
    if (layer) context.drawImage(layer, 0, 0, drape.width, drape.height);
    texture.needsUpdate = true;
    draw();
  });
  whenSelected((samples) => {
    for (const tube of chosenTubes.children) tube.geometry.dispose();
    chosenTubes.remove(...chosenTubes.children);
    for (const { path, line, material } of lines) {
      material.opacity = samples.size === 0 ? 0.6 : 0.15;
      if (!samples.has(path.sample)) continue;
      const curve = new THREE.CurvePath();
      const points = path.xyz.map((p) => new THREE.Vector3(...place(...p)));
      for (let k = 1; k < points.length; ++k) curve.add(new THREE.LineCurve3(points[k - 1], points[k]));
      chosenTubes.add(new THREE.Mesh(new THREE.TubeBufferGeometry(curve, 4 * points.length, size / 500, 6),
                                     new THREE.MeshBasicMaterial({ color: armColour(path.arm) })));
    }
    draw();
  });
  // A click without a drag takes the nearest path.
  let down = null;
  canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
  canvas.addEventListener("click", (event) => {
    if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    const box = canvas.getBoundingClientRect(), point = new THREE.Vector3();
    const onScreen = lines.map(({ path }) => ({
      sample: path.sample,
      points: path.xyz.map((p) => {
        point.set(...place(...p)).project(camera);
        return [(point.x + 1) / 2 * box.width, (1 - point.y) / 2 * box.height];
      }),
    }));
    const found = nearestLine(onScreen, [event.clientX - box.left, event.clientY - box.top], reach);
    if (found !== null) select([found]);
  });
  from(...southEast);
  marks("view", lines.length);
}
