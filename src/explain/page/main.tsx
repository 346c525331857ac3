/** Starts the page with the board that its data block contains. */
import { render } from 'preact';
import { App } from './app.js';
import { pageProblem } from './games.js';
import { createState } from './state.js';

/** The content of the data block, which src/explain/page-file/render.ts writes. */
interface PageData {
  readonly problem: string;
  readonly rows: readonly string[];
  readonly heading: string;
}

const data = JSON.parse(document.getElementById('data')!.textContent) as PageData;
const first = createState(pageProblem(data.problem), data.rows);
render(<App first={first} heading={data.heading} />, document.getElementById('page')!);
