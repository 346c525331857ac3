/** Tests of the bytes that draw the status lines. They cover effects that the screen of a terminal does not show. */
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { clearStatus, showStatus, writeAboveStatus } from '../../src/cli/status/terminal.js';

const written: string[] = [];
vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);

// A program without a terminal has no size. Other test files run in this process, too.
const { columns, rows } = process.stderr;
Object.assign(process.stderr, { columns: 80, rows: 24 });
afterAll(() => {
  Object.assign(process.stderr, { columns, rows });
});

afterEach(() => {
  clearStatus();
  written.length = 0;
});

test('a message and the status below it are written at once, so that the status never flickers', () => {
  showStatus(() => ['the status']);
  const [drawn] = written.splice(0);
  writeAboveStatus('a message\n');
  const erased = drawn.slice(0, drawn.indexOf('\x1b[?7l'));
  expect(written).toEqual([`${erased}a message\n${drawn.slice(erased.length)}`]);
});

test('line wrapping is off while the status is drawn, because the terminal may be narrower than Node knows', () => {
  showStatus(() => ['the status']);
  const places = ['\x1b[?7l', 'the status', '\x1b[?7h'].map((part) => written[0].lastIndexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('of a table that is higher than the terminal, the last lines are shown', () => {
  showStatus(() => Array.from({ length: 100 }, (_, i) => `line ${i}`));
  expect(written[0].match(/line \d+/g)).toEqual(Array.from({ length: 23 }, (_, i) => `line ${77 + i}`));
});
