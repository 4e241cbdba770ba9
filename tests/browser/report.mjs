// SPDX-License-Identifier: Apache-2.0
// Opens HTML reports in a real browser, from disk, in both themes and at two widths, and fails
// on any console message, page error or request.  See README.md.
//   node report.mjs PATH_OF_MAKE_PAGE [FOLDER_FOR_SCREENSHOTS]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { chromium } = createRequire(join(process.cwd(), 'x'))('playwright-core');
const [makePage, shots] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'twinsift-browser-'));
if (shots) mkdirSync(shots, { recursive: true });

function page_file(...args) {
  const path = join(folder, `report${args[0] ?? ''}.html`);
  writeFileSync(path, execFileSync(resolve(makePage), args, { maxBuffer: 2 ** 30 }));
  return pathToFileURL(path).href;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-first-run'],
});

async function open(url, options = {}) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
  page.setDefaultTimeout(180_000);  // the machine may be busy
  page.problems = [];
  page.on('console', message => page.problems.push(message.text()));
  page.on('pageerror', error => page.problems.push(String(error)));
  page.on('dialog', dialog => page.problems.push('dialog: ' + dialog.message()));
  page.on('request', request => { if (request.url() !== url && !request.url().startsWith('data:')) page.problems.push('request: ' + request.url()); });
  await page.goto(url);
  return page;
}
async function close(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}
const shot = (page, name) => shots && page.screenshot({ path: join(shots, name + '.png'), fullPage: true });

const marks = (page, side) => page.evaluate(side => [...document.querySelectorAll('.group[open] .text')[side].querySelectorAll('mark')]
  .map(m => [m.dataset.n, m.textContent]).sort(), side);

// The least contrast of any text against its nearest painted background.
const least_contrast = page => page.evaluate(() => {
  const rgb = text => text.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const background = node => {
    for (; node; node = node.parentElement) {
      const colour = rgb(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  return Math.min(...[...document.body.querySelectorAll('*')].filter(n => n.checkVisibility() &&
    [...n.childNodes].some(c => c.nodeType === Node.TEXT_NODE && c.data.trim())).map(n => {
    const [x, y] = [luminance(rgb(getComputedStyle(n).color)), luminance(background(n))];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  }));
});

async function passages_are_right(url) {
  const page = await open(url);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.text mark');
  const shared = [['1', 'The quick brown fox \u{1F98A} jumps'], ['2', '\u543E\u8F29\u306F\u732B\u3067\u3042\u308B'],
    ['3', '\u05E9\u05DC\u05D5\u05DD \u05E2\u05D5\u05DC\u05DD, \u0645\u0631\u062D\u0628\u0627'],
    ['4', 'e\u0301te\u0301 \u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u0E01\u0E33\u0E25\u0E31\u0E07']];
  assert.deepEqual(await marks(page, 0), shared);
  assert.deepEqual(await marks(page, 1), shared);
  await page.locator('.text').nth(1).locator('mark[data-n="4"]').click();
  const partner = page.locator('.text').nth(0).locator('mark[data-n="4"]');
  assert.ok((await partner.getAttribute('class')).includes('now'));
  assert.ok(await page.evaluate(() => {
    const box = document.querySelector('.text'), mark = box.querySelector('.now');
    const [outer, inner] = [box.getBoundingClientRect(), mark.getBoundingClientRect()];
    return box.scrollTop > 0 && inner.top >= outer.top && inner.bottom <= outer.bottom;
  }), 'the partner has scrolled into view');
  await page.keyboard.press('n');
  assert.equal(await page.locator('.text').nth(0).locator('.now').getAttribute('data-n'), '1');
  await page.keyboard.press('d');
  assert.equal(await page.locator('[data-do=differ]').getAttribute('aria-pressed'), 'true');
  await shot(page, 'differ');
  await close(page);
}

async function keys_and_filters_work(url) {
  const page = await open(url);
  const focused = () => page.evaluate(() => [...document.querySelectorAll('.group')].indexOf(document.activeElement.closest('.group')));
  for (const [key, place] of [['j', 0], ['j', 1], ['j', 2], ['j', 2], ['k', 1]]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), place);
  }
  await page.keyboard.press('?');
  assert.ok(await page.locator('#help').isVisible());
  await page.keyboard.press('Escape');
  assert.ok(!await page.locator('#help').isVisible());
  await page.keyboard.press('/');
  await page.keyboard.type('SCRIPTS 2');
  assert.equal(await page.locator('.group').count(), 1);
  assert.equal(await page.locator('#count').textContent(), '1 of 3 groups');
  await page.locator('#search').fill('');
  await page.locator('#score').fill('100');
  assert.equal(await page.locator('.group').count(), 1);
  await close(page);
}

async function hostile_names_are_inert(url) {
  const page = await open(url);
  await page.locator('.group > summary').nth(1).click();
  const names = await page.locator('.group').nth(1).locator('li bdi').allTextContents();
  assert.deepEqual(names, ['</script><script>alert(1)</script><img src=x onerror=alert(3)>',
    'quotes " \' & newline \\u000a escape \\u001b[2J', 'photo\\u202egpj.exe', 'caf\\xe9\\xff.txt']);
  assert.equal(await page.locator('img, iframe, #groups b, #rest i').count(), 0);
  await close(page);
}

async function both_themes_and_widths(url) {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 360]) {
      const page = await open(url, { colorScheme, viewport: { width, height: 800 } });
      await page.locator('.group > summary').nth(0).click();
      await page.locator('.group > summary').nth(1).click();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no sideways scrolling');
      const contrast = await least_contrast(page);
      assert.ok(contrast >= 4.5, `contrast ${contrast} in ${colorScheme}`);
      await page.locator('.group > summary').nth(0).focus();
      await shot(page, `${colorScheme}-${width}`);
      await close(page);
    }
  }
}

// How many pixels of the canvas the page finds different, coloured, or grey.
const canvas_pixels = page => page.evaluate(() => {
  const canvas = document.querySelector('.stage canvas');
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
  copy.drawImage(canvas, 0, 0);
  const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
  const counts = {black: 0, grey: 0, bright: 0};
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = data.slice(i, i + 3);
    ++counts[Math.max(r, g, b) < 8 ? 'black' : r === g && g === b && r < 110 ? 'grey' : 'bright'];
  }
  return counts;
});

async function pictures_are_compared(url) {
  const page = await open(url);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.compared');
  assert.equal(await page.locator('.cards img').count(), 4);
  assert.deepEqual(await page.locator('.card .name').allTextContents(),
    ['<img src=x onerror=alert(1)>.png', 'mirror\\u202egnp.png', 'part.png', 'copy.png']);
  assert.equal(await page.locator('.words').textContent(), 'B: same picture, mirrored, 5 of 256 bits differ');
  assert.equal(await page.locator('.duo polygon.crop').count(), 2);
  await page.keyboard.press('d');
  await page.waitForFunction(() => document.querySelector('.stage canvas').width === 240);
  assert.deepEqual(await canvas_pixels(page), {black: 240 * 160 - 40 * 20, grey: 0, bright: 40 * 20});
  await shot(page, 'pictures-difference');
  await page.keyboard.press(']');
  await page.waitForFunction(() => document.querySelector('.stage canvas').width === 240);
  assert.deepEqual(await canvas_pixels(page), {black: 120 * 160, grey: 120 * 160, bright: 0});
  await page.keyboard.press('f');
  assert.equal(await page.locator('.badge').textContent(), 'A');
  await page.keyboard.press('Space');
  assert.equal(await page.locator('.badge').textContent(), 'B');
  assert.equal((await canvas_pixels(page)).grey, 120 * 160);
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Key points' }).click();
  assert.equal(await page.locator('.duo circle.dot').count(), 4);
  assert.equal(await page.locator('.lines line').count(), 2);
  await page.keyboard.press(']');
  assert.equal(await page.locator('.words').textContent(), 'B: the same bytes');
  assert.equal(await page.locator('.duo img').count(), 2);
  await close(page);
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 360]) {
      const page = await open(url, { colorScheme, viewport: { width, height: 800 } });
      await page.locator('.group > summary').click();
      await page.locator('.card').nth(2).click();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no sideways scrolling');
      const contrast = await least_contrast(page);
      assert.ok(contrast >= 4.5, `contrast ${contrast} in ${colorScheme}`);
      await shot(page, `pictures-${colorScheme}-${width}`);
      await close(page);
    }
  }
}

// Twenty seconds of a quiet tone: 8,000 samples a second of 8 bits.
function wav() {
  const samples = Buffer.from(Array.from({ length: 160_000 }, (_, i) => 128 + Math.round(20 * Math.sin(i / 3))));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0), head.writeUInt32LE(36 + samples.length, 4), head.write('WAVEfmt ', 8), head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20), head.writeUInt16LE(1, 22), head.writeUInt32LE(8000, 24), head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32), head.writeUInt16LE(8, 34), head.write('data', 36), head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

// Shares of its parent at which a node begins and ends, in thousandths.
const places = (page, selector) => page.evaluate(selector => [...document.querySelectorAll(selector)].map(node => {
  const [inner, outer] = [node.getBoundingClientRect(), node.parentElement.getBoundingClientRect()];
  return [inner.left, inner.right].map(x => Math.round(1000 * (x - outer.left) / outer.width));
}), selector);

async function films_lie_where_they_belong(url) {
  const page = await open(url);
  assert.equal(await page.locator('#summary').textContent(), '2 groups \u00b7 124.0 MB could go \u00b7 1 skipped');
  assert.ok((await page.locator('#rest').textContent()).includes('the second shares 0:30 with the first: 0:10-0:40'));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.compared');
  assert.deepEqual(await places(page, '.lane > .stretch'),
    [[0, 500], [500, 1000], [0, 133], [667, 1000], [0, 1000], [0, 1000]]);
  assert.ok((await page.locator('.inside').textContent()).includes(
    'these 2 parts together are the film: 0:00-0:45 and 0:45-1:30, 100 % covered'));
  assert.equal(await page.locator('.words').textContent(), 'B: is 0:00-0:45 of A, 50 % of A, sound agrees, too');
  assert.equal(await page.locator('.duel .film').count(), 2);
  assert.equal(await page.locator('.duel .wave').count(), 2);
  await page.keyboard.press(']');
  assert.equal(await page.locator('.words').textContent(),
    'B: is 0:45-1:30 of A, 50 % of A, runs 25 % faster, mirrored, another soundtrack');
  assert.deepEqual(await page.locator('.compared .chip').allTextContents(), ['25 % faster', 'mirrored']);
  // Aligned, the half lies below the half it is.
  assert.deepEqual(await places(page, '.duel .track'), [[0, 1000], [500, 1000]]);
  await page.getByRole('button', { name: 'Aligned' }).click();
  assert.deepEqual(await places(page, '.duel .track'), [[0, 1000], [0, 500]]);
  await page.getByRole('button', { name: 'Aligned' }).click();
  await page.getByRole('button', { name: '0:00\u20130:12 of A is 1:10\u20131:22 of B' }).first().click();
  assert.equal(await page.locator('.compared .told').textContent(), 'Stretch 1: 0:00\u20130:12 of A is 1:10\u20131:22 of B');
  assert.ok((await page.locator('.compared').textContent()).includes('It stays: only linked.'));
  await page.keyboard.press('n');
  assert.equal(await page.locator('.band.now').count(), 1);
  assert.equal(await page.locator('.compared .told').textContent(), 'Stretch 2: 1:00\u20131:30 of A is 0:10\u20130:40 of B');
  await shot(page, 'recordings-linked');
  await page.keyboard.press(']');
  assert.ok((await page.locator('.compared').textContent()).includes('It stays: only the sound agrees.'));
  await page.keyboard.press(']');
  assert.equal(await page.locator('.words').textContent(), 'B: the same bytes');
  assert.equal(await page.locator('.inside img[onerror], #rest b').count(), 0);
  await close(page);
}

async function songs_are_played_from_a_stretch(url) {
  const page = await open(url);
  await page.locator('.group > summary').nth(1).click();
  await page.waitForSelector('.players audio');
  assert.equal(await page.locator('.words').textContent(), 'B: the same, 0:18, begins 0:02 later, pitch +1.0 semitones');
  await page.getByRole('button', { name: 'Stretch 2:' }).click();
  assert.deepEqual(page.problems, [], 'nothing is loaded before somebody plays it');
  await page.getByRole('button', { name: 'Play both' }).click();
  await page.waitForFunction(() => [...document.querySelectorAll('.players audio')].every(
    (m, i) => m.currentTime > [10, 8][i] && m.currentTime < [10, 8][i] + 5));
  await page.getByRole('button', { name: 'Play both' }).click();
  await page.getByRole('button', { name: 'Stretch 1:' }).click();
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.players audio')].map(m => [m.paused, m.currentTime])),
    [[true, 2], [true, 0]]);
  const asked = page.problems.splice(0);
  assert.ok(asked.length >= 2 && asked.every(p => /^request: file:.*wav$/.test(p)), asked.join());
  await close(page);
}

async function recordings_in_both_themes_and_widths(url) {
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 360]) {
      const page = await open(url, { colorScheme, viewport: { width, height: 800 } });
      await page.locator('.group > summary').nth(1).click();
      await page.locator('.group > summary').nth(0).click();
      await page.locator('.stretch').nth(1).click();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no sideways scrolling');
      const contrast = await least_contrast(page);
      assert.ok(contrast >= 4.5, `contrast ${contrast} in ${colorScheme}`);
      await shot(page, `recordings-${colorScheme}-${width}`);
      await close(page);
    }
  }
}

// Limits are ten times what a quiet machine needs: they catch what grows too fast, not what is busy.
async function is_fast(name, url, act, limit) {
  const page = await open(url);
  const loaded = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
  const took = await page.evaluate(act);
  console.log(`${name}: loaded in ${Math.round(loaded)} ms, action ${Math.round(took)} ms`);
  assert.ok(took < limit, `${name} took ${took} ms`);
  await close(page);
}
const search = () => new Promise(done => {
  const start = performance.now(), box = document.getElementById('search');
  box.value = 'file 19999';
  box.dispatchEvent(new Event('input'));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
});
const open_long_line = () => new Promise(done => {
  const start = performance.now();
  document.querySelectorAll('.group > summary')[2].click();
  const wait = () => document.querySelectorAll('.text mark').length > 1000
    ? requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))) : setTimeout(wait);
  wait();
});

try {
  const sample = page_file();
  await passages_are_right(sample);
  await keys_and_filters_work(sample);
  await hostile_names_are_inert(sample);
  await both_themes_and_widths(sample);
  await pictures_are_compared(page_file('pictures'));
  for (const song of ['sound & 100%?.wav', Buffer.from('caf\xe9 #2.wav', 'latin1')]) {
    writeFileSync(Buffer.concat([Buffer.from(folder + '/'), Buffer.from(song)]), wav());
  }
  const recordings = page_file('recordings', folder);
  await films_lie_where_they_belong(recordings);
  await songs_are_played_from_a_stretch(recordings);
  await recordings_in_both_themes_and_widths(recordings);
  await is_fast('a line of 300 kB', sample, open_long_line, 10_000);
  await is_fast('20,000 groups', page_file('20000'), search, 2000);
  await is_fast('100,000 groups', page_file('100000'), search, 5000);
  console.log('all passed');
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
