/**
 * The script of the page. In the page, it shows the board that the data block of the page contains. In the worker, which runs
 * the same script, it answers the page's requests.
 */
import { render } from 'preact';
import { openPageEngine, serveAsPageEngineWorker } from './engine/client.js';
import { pageProblem } from './games.js';
import { loadBoardFromLink } from './state/editing.js';
import { createPageState } from './state/state.js';
import { restorePage } from './state/storage.js';
import { App } from './view/app.js';

/** The content of the data block, which src/explain/page-file/render.ts writes. */
interface PageData {
  readonly problem: string;
  readonly rows: readonly string[];
  readonly heading: string;
}

if (typeof document === 'undefined') serveAsPageEngineWorker(pageProblem(self.name));
else startPage();

function startPage(): void {
  const script = document.currentScript!.textContent;
  const data = JSON.parse(document.getElementById('data')!.textContent) as PageData;
  const problem = pageProblem(data.problem);
  const fresh = createPageState(problem, data.rows);
  const { stored, store } = openStorage(`boardmill ${JSON.stringify([location.pathname, data])}`);
  // A link is newer than what is stored, unless the page has stored it together with this link.
  const [link = '', text = ''] = stored.split('\n', 2);
  const hash = location.hash;
  const first = text !== '' && link === hash ? restorePage(fresh, text) : loadBoardFromLink(fresh, hash);
  const engine = openPageEngine(problem, script);
  const app = (
    <App
      first={first}
      heading={data.heading}
      engine={engine}
      store={(page) => store(`${location.hash}\n${page}`)}
    />
  );
  render(app, document.getElementById('page')!);
}

/** Opens the storage of the browser's tab. A browser that has none, or whose user forbids it, forgets the game. */
function openStorage(key: string): { stored: string; store: (text: string) => void } {
  const attempt = <Result,>(act: () => Result) => {
    try {
      return act();
    } catch {
      return null;
    }
  };
  return {
    stored: attempt(() => sessionStorage.getItem(key)) ?? '',
    store: (text) => attempt(() => sessionStorage.setItem(key, text)),
  };
}
