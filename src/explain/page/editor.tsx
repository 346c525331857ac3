/** Edits the board: a palette, its size, its text, and a link to it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { printInput } from './board-text.js';
import { fragmentOf } from './link.js';
import type { PartProps } from './parts.js';
import { indicesOfMoves } from './session.js';
import {
  boardSizeOf,
  chooseStamp,
  edit,
  loadText,
  type PageState,
  resizeBoard,
  withNotice,
} from './state.js';
import { nameOfCell } from './words.js';

export function Editor({ state, change }: PartProps): JSX.Element {
  const isOn = state.mode === 'edit';
  return (
    <section class="panel editor" aria-label="Board editor">
      <div class="buttons">
        <button type="button" aria-pressed={isOn} onClick={() => change((now) => edit(now, !isOn))}>
          {isOn ? 'Done editing' : 'Edit board'}
        </button>
        <CopyButton name="Copy link" text={() => linkTo(state)} state={state} change={change} />
      </div>
      {isOn && <Palette state={state} change={change} />}
      {isOn && <Size state={state} change={change} />}
      <BoardText state={state} change={change} />
    </section>
  );
}

function linkTo(state: PageState): string {
  const moves = state.session?.kind === 'game' ? indicesOfMoves(state.session) : [];
  const fragment = fragmentOf(state.problem.style, { rows: state.rows, moves });
  history.replaceState(null, '', fragment);
  return location.href;
}

function Palette(props: PartProps): JSX.Element {
  const { style, palette } = props.state.problem;
  return (
    <fieldset class="palette">
      <legend>Paint with</legend>
      {style.letters.length === 1 ? <Stamps {...props} stamps={palette} /> : <BlockStamps {...props} />}
    </fieldset>
  );
}

function Stamps({ state, change, stamps }: PartProps & { stamps: readonly string[] }): JSX.Element {
  return (
    <>
      {stamps.map((stamp) => (
        <label class="stamp">
          <input
            type="radio"
            name="stamp"
            checked={state.stamp === stamp}
            onChange={() => change((now) => chooseStamp(now, stamp))}
          />
          <span>{nameOfStamp(state, stamp)}</span>
        </label>
      ))}
    </>
  );
}

function nameOfStamp({ problem }: PageState, stamp: string): string {
  const name = nameOfCell(problem, stamp);
  return name === stamp ? stamp : `${stamp}  ${name.replace(/^.*, /, '')}`;
}

/** The part of the palette for blocks: a list of symbols, and the ways of moving. */
function BlockStamps({ state, change }: PartProps): JSX.Element {
  const { letters } = state.problem.style;
  const [symbol, way] = state.stamp;
  return (
    <>
      <label class="field">
        Symbol
        <select
          value={symbol}
          onChange={(event) => change((now) => chooseStamp(now, event.currentTarget.value + way))}
        >
          {[...letters[0]].map((letter) => (
            <option value={letter}>{letter}</option>
          ))}
        </select>
      </label>
      <Stamps state={state} change={change} stamps={[...letters[1]].map((letter) => symbol + letter)} />
    </>
  );
}

function Size({ state, change }: PartProps): JSX.Element {
  const [rows, cols] = boardSizeOf(state);
  const { minRows, maxRows, minCols, maxCols, maxCells } = state.problem.style.limits;
  return (
    <fieldset class="size">
      <legend>Size, at most {maxCells} cells</legend>
      <NumberField
        name="Rows"
        value={rows}
        min={minRows}
        max={maxRows}
        set={(next) => change((now) => resizeBoard(now, next, boardSizeOf(now)[1]))}
      />
      <NumberField
        name="Columns"
        value={cols}
        min={minCols}
        max={maxCols}
        set={(next) => change((now) => resizeBoard(now, boardSizeOf(now)[0], next))}
      />
    </fieldset>
  );
}

interface NumberFieldProps {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly set: (value: number) => void;
}

function NumberField({ name, value, min, max, set }: NumberFieldProps): JSX.Element {
  // The page is drawn again when a board has been solved. The text that the user is typing must be kept then.
  const [typed, type] = useState<string | null>(null);
  return (
    <label class="field">
      {name}
      <input
        type="number"
        value={typed ?? value}
        min={min}
        max={max}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={(event) => {
          set(event.currentTarget.valueAsNumber);
          // If the page refuses the size, the field shows the size of the board again.
          type(null);
        }}
      />
    </label>
  );
}

/** The board as the text of an input, which the user can copy and replace. */
function BoardText({ state, change }: PartProps): JSX.Element {
  const input = printInput(state.problem.style, state.rows);
  // When the board changes, its text replaces the text that the user has typed.
  const [draft, setDraft] = useState({ input, text: input });
  const text = draft.input === input ? draft.text : input;
  return (
    <details class="text">
      <summary>Board as text</summary>
      <label class="field">
        Input for boardmill. Paste a board here: its rows, a case with its header, or a whole input.
        <textarea
          rows={Math.min(state.rows.length + 3, 12)}
          spellcheck={false}
          value={text}
          onInput={(event) => setDraft({ input, text: event.currentTarget.value })}
        />
      </label>
      <div class="buttons">
        <button type="button" onClick={() => change((now) => loadText(now, text))}>
          Use this text
        </button>
        <CopyButton name="Copy" text={() => input} state={state} change={change} />
      </div>
    </details>
  );
}

function CopyButton({ name, text, change }: PartProps & { name: string; text: () => string }): JSX.Element {
  const copy = async () => {
    const isCopied = await writeClipboard(text());
    change((now) => withNotice(now, isCopied ? 'Copied.' : 'The browser does not let the page copy.'));
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
