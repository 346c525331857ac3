/** Shares the board: as a link with the moves, and as the text of an input, which can also be replaced. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { printBoardInput } from '../boards/board-text.js';
import { urlFragmentOf } from '../boards/link.js';
import { loadBoardFromText } from '../state/editing.js';
import { shownPathOf } from '../state/game-tree.js';
import { type MessagePlace, type PageState, withMessage } from '../state/state.js';
import { MessageAt } from './message.js';
import type { PartProps } from './parts.js';

export function SharePanel({ state, change }: PartProps): JSX.Element {
  const input = printBoardInput(state.problem.style, state.rows);
  // When the board changes, its text replaces the text that the user has typed.
  const [draft, setDraft] = useState({ input, text: input });
  const text = draft.input === input ? draft.text : input;
  return (
    <>
      <p class="hint">
        A link brings back this board{' '}
        {state.problem.show.kind === 'game'
          ? 'with the moves up to the position on show.'
          : 'at the step on show.'}
      </p>
      <div class="buttons">
        <CopyButton
          name="Copy link"
          place="share"
          text={() => linkTo(state)}
          done={wordsAboutLink()}
          change={change}
        />
      </div>
      <MessageAt place="share" state={state} change={change} />
      <label class="field">
        The board as an input for boardmill. Paste a board here: its rows, a case with its header, or a whole
        input.
        <textarea
          rows={Math.min(state.rows.length + 3, 10)}
          spellcheck={false}
          value={text}
          onInput={(event) => setDraft({ input, text: event.currentTarget.value })}
        />
      </label>
      <div class="buttons">
        <button type="button" onClick={() => change((now) => loadBoardFromText(now, text, 'text'))}>
          Use this text
        </button>
        <CopyButton name="Copy text" place="text" text={() => input} done="Copied." change={change} />
      </div>
      <MessageAt place="text" state={state} change={change} />
    </>
  );
}

function linkTo(state: PageState): string {
  const { session, rows } = state;
  const moves = session?.kind === 'game' ? shownPathOf(session).map(([, index]) => index) : [];
  const step = session?.kind === 'replay' ? session.at : 0;
  const fragment = urlFragmentOf(state.problem.style, { rows, moves, step });
  history.replaceState(null, '', fragment);
  return location.href;
}

/** The link to a file is of no use to others. */
function wordsAboutLink(): string {
  return location.protocol === 'file:'
    ? 'Copied. This page is a file, so the link works on this computer only.'
    : 'Copied.';
}

interface CopyButtonProps {
  readonly name: string;
  readonly place: MessagePlace;
  readonly text: () => string;
  /** What the page says when the text is copied. */
  readonly done: string;
  readonly change: PartProps['change'];
}

function CopyButton({ name, place, text, done, change }: CopyButtonProps): JSX.Element {
  const copy = async () => {
    const isCopied = await writeClipboard(text());
    const words = isCopied ? done : 'The browser does not let the page copy.';
    change((now) => withMessage(now, place, words, { isError: !isCopied }));
  };
  return (
    <button type="button" onClick={copy}>
      {name}
    </button>
  );
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
