// SPDX-License-Identifier: Apache-2.0
// The part of the page for groups of pictures: a grid of previews, and two of them compared side by
// side, by turns, and as a difference.  The second is laid over the first by the map of its
// placement, here and not before, so that a page holds each preview once.
#include "report/html_page.h"

namespace twinsift {

const std::string_view kPictureStyle = R"css(
.mini { width: 3rem; height: 3rem; object-fit: cover; border-radius: 4px; align-self: center; flex: none; }
.group > summary:has(.mini) { align-items: center; }
.cards { list-style: none; margin: .4rem 0 0; padding: 0; display: grid; gap: .8rem;
  grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); }
.card { display: flex; flex-direction: column; justify-content: flex-start; width: 100%; height: 100%; padding: .5rem; text-align: start; line-height: 1.35;
  border: 1px solid var(--line); border-radius: 8px; background: var(--box); }
button.card:hover { border-color: var(--accent); }
button.card[aria-pressed=true] { background: var(--box); color: inherit; box-shadow: 0 0 0 3px var(--accent); }
.card > .name { flex: none; } .card .dim { font-size: .85rem; }
.card img, .card .none { display: block; width: 100%; height: 9rem; object-fit: contain; margin: 0 0 .4rem; }
.card .none { display: grid; place-items: center; border: 1px dashed var(--dim); border-radius: 4px; color: var(--dim); }
.compared { margin: 1rem 0 0; padding: .8rem; border: 1px solid var(--line); border-radius: 8px; }
.compared .words { font-weight: 600; margin-bottom: .6rem; }
.compared [hidden] { display: none; } .compared label { display: flex; gap: .5rem; align-items: center; }
.duo { position: relative; display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; }
.duo figure, .stage { margin: 0; } figcaption { font-size: .85rem; margin-top: .3rem; }
.frame { position: relative; overflow: hidden; }
.frame img, .stage canvas { display: block; width: 100%; height: auto; }
.frame svg, .lines { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.lines { overflow: visible; }
.crop { fill: none; stroke: #fff; stroke-width: 2; vector-effect: non-scaling-stroke; }
.crop.under { stroke: #000; stroke-width: 5; } .corner { fill: #fff; stroke: #000; }
.dot { stroke: #000; stroke-opacity: .6; } .lines line { stroke-width: 1.2; stroke-opacity: .75; }
.stage { position: relative; display: block; padding: 0; border-radius: 0; background: none; }
.badge { position: absolute; left: .5rem; top: .5rem; padding: .2rem .6rem; line-height: 1.4; border-radius: 4px;
  background: #000; color: #fff; font-weight: 700; }
@media (max-width: 700px) { .mini ~ .name { flex-basis: 60%; } .duo { grid-template-columns: 1fr; } .compared { padding: .5rem; }
  .cards { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .5rem; } .card img, .card .none { height: 7rem; } }
)css";

const std::string_view kPictureScript = R"js(
const kMostLines = 60;
const kLevels = { least: 1, most: 16, first: 4 };
let pictureMode = 'side';  // stays from pair to pair

// The preview of a member; what has the same bytes as the one to keep looks like it.
function preview(group, place, pairs) {
  const pair = pairs.get(place);
  const template = $(`picture-${group.id}-${place}`) || (pair && pair.identical && $(`picture-${group.id}-0`));
  return template && template.content.firstChild.cloneNode();
}
const hasPreviews = group => group.members.some((m, i) => $(`picture-${group.id}-${i}`));
function miniature(group) {
  const image = preview(group, 0, new Map());
  if (image) image.className = 'mini';
  return image;
}
function svg(tag, attributes, ...children) {
  const node = document.createElementNS($('svg').content.firstChild.namespaceURI, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
function button(text, act, attributes = {}) {
  const node = el('button', '', text);
  node.type = 'button';
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.addEventListener('click', act);
  return node;
}

// ---- the grid
function pictureFacts({size, mtime, facts}) {
  const pixels = facts.width ? `${facts.width} \u00d7 ${facts.height}` : '';
  const format = [(facts.format || '').toUpperCase(), facts.quality].filter(Boolean).join(' ');
  return [[pixels, bytes(size), format], [facts.exif_date || mtime.slice(0, 19).replace('T', ' ') + 'Z', facts.camera]]
    .map(line => line.filter(Boolean).join(' \u00b7 ')).filter(Boolean);
}
function card(group, place, pairs) {
  const member = group.members[place], pair = pairs.get(place);
  const cut = member.path.lastIndexOf('/') + 1;
  const box = el(pair ? 'button' : 'div', 'card', preview(group, place, pairs) || el('span', 'none', 'no preview'),
    el('span', pair ? 'num' : 'keep', role(pair)), el('span', 'name', name(member.path.slice(cut))));
  if (cut > 0) box.append(el('span', 'dim', name(member.path.slice(0, cut))));
  for (const line of pictureFacts(member)) box.append(el('span', 'dim', line));
  for (const link of member.links || []) box.append(el('span', 'dim', 'already one file: ', name(link.path)));
  return box;
}
function pictureGrid(group) {
  const pairs = comparisons(group);
  const cards = group.members.map((m, i) => card(group, i, pairs));
  const shown = el('div', '');
  const others = cards.map((c, i) => i).filter(i => pairs.has(i));
  function open(place) {
    for (const i of others) cards[i].setAttribute('aria-pressed', i === place);
    view = comparedPictures(group, pairs.get(place), pairs);
    view.step = by => {
      const next = others[(others.indexOf(place) + by + others.length) % others.length];
      open(next);
      cards[next].scrollIntoView({block: 'nearest'});
    };
    shown.replaceChildren(view);
  }
  for (const i of others) {
    cards[i].type = 'button';
    cards[i].addEventListener('click', () => open(i));
  }
  if (others.length) open(others.find(i => !pairs.get(i).identical) ?? others[0]);
  return el('div', 'inside', el('ul', 'cards', ...cards.map(c => el('li', '', c))), shown);
}

// ---- two pictures
const place = (map, [x, y]) => {
  const w = map[6] * x + map[7] * y + map[8];
  return [(map[0] * x + map[1] * y + map[2]) / w, (map[3] * x + map[4] * y + map[5]) / w];
};
// Where nothing is known, one covers the other.
const kNoPlacement = {a_to_b: [1, 0, 0, 0, 1, 0, 0, 0, 1], frame_of_b: [], covered_a: 1, covered_b: 1, points: []};

function pixels(image, shrink = 1) {
  const canvas = el('canvas', '');
  canvas.width = Math.max(1, Math.round(image.naturalWidth * shrink));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * shrink));
  const context = canvas.getContext('2d', {willReadFrequently: true});
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
// b as it lies in a, with bilinear interpolation; transparent where b shows nothing of it.
function laidOver(a, b, map) {
  const out = new ImageData(a.width, a.height);
  const [w, h, from, to] = [b.width, b.height, b.data, out.data];
  for (let y = 0, at = 0; y < a.height; ++y) {
    for (let x = 0; x < a.width; ++x, at += 4) {
      const [u, v] = place(map, [(x + .5) / a.width, (y + .5) / a.height]);
      if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
      const bx = Math.min(Math.max(u * w - .5, 0), w - 1), by = Math.min(Math.max(v * h - .5, 0), h - 1);
      const left = Math.min(Math.floor(bx), Math.max(w - 2, 0)), top = Math.min(Math.floor(by), Math.max(h - 2, 0));
      const fx = bx - left, fy = by - top, i = 4 * (top * w + left), right = w > 1 ? 4 : 0, down = h > 1 ? 4 * w : 0;
      for (let c = 0; c < 3; ++c) {
        to[at + c] = (1 - fy) * ((1 - fx) * from[i + c] + fx * from[i + right + c]) +
          fy * ((1 - fx) * from[i + down + c] + fx * from[i + down + right + c]) + .5;
      }
      to[at + 3] = 255;
    }
  }
  return out;
}
// What only a shows becomes a shadow of it.
function overShadow(a, b, colour) {
  const out = new ImageData(a.width, a.height);
  for (let i = 0; i < out.data.length; i += 4) {
    const grey = 40 + (a.data[i] + 2 * a.data[i + 1] + a.data[i + 2]) / 16;
    for (let c = 0; c < 3; ++c) out.data[i + c] = b.data[i + 3] ? colour(a.data[i + c], b.data[i + c]) : grey;
    out.data[i + 3] = 255;
  }
  return out;
}
// Both on a's raster.  Where b is finer it is made coarser first, or single pixels would be compared.
async function aligned(imageA, imageB, map) {
  await Promise.all([imageA.decode(), imageB.decode()]);
  const a = pixels(imageA);
  const [[x0, y0], [x1, y1], [x2, y2]] = [[.5, .5], [.51, .5], [.5, .51]].map(p => place(map, p));
  const area = Math.abs((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) * 1e4 *
    imageB.naturalWidth * imageB.naturalHeight / (a.width * a.height);
  return {a, b: laidOver(a, pixels(imageB, Math.min(1, 1 / Math.sqrt(area || 1))), map)};
}

// As large as fits, but not so that one sees pixels instead of a picture.
const fit = (node, w, h) => { node.style.width = `min(100%, ${1.5 * w}px, ${Math.round(7500 * w / h) / 100}vh)`; };

// One of the two with what is drawn upon it, in pixels of the preview.
function figure(letter, member, image) {
  const [w, h] = ['width', 'height'].map(key => Number(image.getAttribute(key)));
  image.alt = `Picture ${letter}`;
  const layer = svg('svg', {viewBox: `0 0 ${w} ${h}`, 'aria-hidden': 'true'});
  const frame = el('div', 'frame', image, layer);
  fit(frame, w, h);
  const node = el('figure', '', frame, el('figcaption', '', el('b', '', letter), ' \u00b7 ', name(member.path)));
  const at = ([x, y]) => [x * w, y * h];
  return {node, image, layer, at, dot: (p, r, attributes) => {
    const [cx, cy] = at(p);
    return svg('circle', {cx, cy, r: r * Math.max(w, h), ...attributes});
  }};
}
// The outline of the other picture; the dot is its upper left corner.
function outline(side, corners) {
  if (!corners.length || corners.flat().some(x => !Number.isFinite(x) || Math.abs(x) > 1e4)) return [];
  const points = corners.map(p => side.at(p).join()).join(' ');
  return [svg('polygon', {class: 'crop under', points}), svg('polygon', {class: 'crop', points}),
    side.dot(corners[0], .012, {class: 'corner'})];
}
const hue = ({a: [x, y]}) => `hsl(${Math.round(300 * x)} 90% ${Math.round(70 - 30 * y)}%)`;

// The view side by side: figures, outlines, and lines between points that are the same.
function sideBySide(group, pair, images, placement) {
  const sides = [figure('A', group.members[pair.a], images[0]), figure('B', group.members[pair.b], images[1])];
  const lines = svg('svg', {class: 'lines', 'aria-hidden': 'true'});
  const box = el('div', 'duo', ...sides.map(s => s.node), lines);
  const listed = placement.points || [];
  const every = Math.ceil(listed.length / kMostLines);
  let crop = true, points = false;
  function draw() {
    const a_in_b = [[0, 0], [1, 0], [1, 1], [0, 1]].map(p => place(placement.a_to_b, p));
    const outlines = crop ? [outline(sides[0], placement.frame_of_b),
      placement.covered_b < .98 ? outline(sides[1], a_in_b) : []] : [[], []];
    sides.forEach((side, i) => side.layer.replaceChildren(...outlines[i],
      ...points ? listed.map(p => side.dot(i ? p.b : p.a, .008, {class: 'dot', fill: hue(p)})) : []));
    const origin = box.getBoundingClientRect(), [ra, rb] = images.map(image => image.getBoundingClientRect());
    const at = (rect, [x, y]) => [rect.left - origin.left + x * rect.width, rect.top - origin.top + y * rect.height];
    lines.replaceChildren(...points ? listed.filter((p, i) => i % every === 0).map(p => {
      const [[x1, y1], [x2, y2]] = [at(ra, p.a), at(rb, p.b)];
      return svg('line', {x1, y1, x2, y2, stroke: hue(p)});
    }) : []);
  }
  new ResizeObserver(draw).observe(box);
  return {box, toggleCrop: () => (crop = !crop, draw(), crop), togglePoints: () => (points = !points, draw(), points)};
}

function comparedPictures(group, pair, pairs) {
  const words = pair.identical ? 'the same bytes' : group.words[pair.index];
  const box = el('section', 'compared', el('p', 'words', words ? `B: ${words}` : ''));
  box.setAttribute('aria-label', 'Comparison');
  const images = [pair.a, pair.b].map(i => preview(group, i, pairs));
  if (!images[0] || !images[1]) {
    box.append(el('p', 'dim', 'One of the two has no preview in this page.'));
    return box;
  }
  const placement = pair.evidence.placement || kNoPlacement;
  const duo = sideBySide(group, pair, images, placement);
  const canvas = el('canvas', ''), badge = el('span', 'badge');
  const stage = el('button', 'stage', canvas, badge);
  stage.type = 'button';
  const slider = el('input', '');
  Object.assign(slider, {type: 'range', min: kLevels.least, max: kLevels.most, value: kLevels.first});
  const level = el('output', ''), amplify = el('label', '', 'Amplify', slider, level);
  let mode = pictureMode, second = false, both = null;

  const modes = {side: 'Side by side', flick: 'Flick', difference: 'Difference'};
  const choose = Object.entries(modes).map(([key, text]) => button(text, () => show(key)));
  const crop = button('Crop box', () => crop.setAttribute('aria-pressed', duo.toggleCrop()), {'aria-pressed': true});
  const points = button('Key points', () => points.setAttribute('aria-pressed', duo.togglePoints()), {'aria-pressed': false});
  const extras = [...placement.frame_of_b.length ? [crop] : [], ...(placement.points || []).length ? [points] : []];
  const hint = el('p', 'dim');
  box.append(el('div', 'tools', ...choose, ...extras, amplify), duo.box, stage, hint);
  stage.addEventListener('click', () => {
    second = !second;
    if (mode === 'flick') paint();
  });
  slider.addEventListener('input', paint);

  function paint() {
    const gain = slider.valueAsNumber;
    level.textContent = `\u00d7 ${gain}`;
    if (!both || mode === 'side') return;
    const {a, b} = both;
    canvas.width = a.width;
    canvas.height = a.height;
    fit(stage, a.width, a.height);
    canvas.getContext('2d').putImageData(mode === 'difference' ? overShadow(a, b, (x, y) => gain * Math.abs(x - y))
      : second ? overShadow(a, b, (x, y) => y) : a, 0, 0);
    badge.textContent = mode === 'difference' ? '|A \u2212 B|' : second ? 'B' : 'A';
    stage.setAttribute('aria-label', mode === 'difference' ? 'Difference of A and B'
      : `Showing ${second ? 'B laid over A' : 'A'}; press for the other`);
  }
  async function show(next) {
    mode = pictureMode = next;
    choose.forEach((b, i) => b.setAttribute('aria-pressed', Object.keys(modes)[i] === mode));
    for (const extra of extras) extra.hidden = mode !== 'side';
    amplify.hidden = mode !== 'difference';
    duo.box.hidden = mode !== 'side';
    stage.hidden = mode === 'side';
    hint.textContent = {side: '', flick: 'Click, or press Space or f, to change between A and B. What only A shows is grey.',
      difference: 'Of the previews, after B was laid over A: black where they agree. What only A shows is grey.'}[mode];
    if (mode === 'side') return;
    paint();
    try {
      both ??= await aligned(...images, placement.a_to_b);
      paint();
    } catch {
      stage.hidden = true;
      hint.textContent = 'A preview is damaged and cannot be compared.';
    }
  }
  box.show = next => mode === 'flick' && next === 'flick' ? stage.click() : (show(next), next === 'flick' && stage.focus());
  show(mode);
  return box;
}
)js";

}  // namespace twinsift
