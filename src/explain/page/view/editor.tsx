/** Edits the board: a palette, and its size. */
import type { JSX } from 'preact';
import { chooseStamp, resizeBoard, setEditing } from '../state/editing.js';
import { boardSizeOf, type PageState } from '../state/state.js';
import { nameOfCellContent } from '../state/words.js';
import { MessageAt } from './message.js';
import { NumberInput } from './number-input.js';
import type { PartProps } from './parts.js';

/** The id of the button that opens the editor. */
export const EDIT_BUTTON_ID = 'edit';

export function BoardEditor({ state, change }: PartProps): JSX.Element {
  return (
    <section class="panel editor" aria-label="Board editor">
      <div class="panel-head">
        <h2>Edit board</h2>
        <button
          type="button"
          onClick={() => {
            // The editor disappears, and its button with it.
            document.getElementById(EDIT_BUTTON_ID)!.focus({ preventScroll: true });
            change((now) => setEditing(now, false));
          }}
        >
          Done editing
        </button>
      </div>
      <Palette state={state} change={change} />
      <Size state={state} change={change} />
      <MessageAt place="size" state={state} change={change} />
    </section>
  );
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
  const name = nameOfCellContent(problem, stamp);
  return name === stamp ? stamp : `${stamp} ${name.replace(/^.*, /, '')}`;
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
      <NumberInput
        name="Rows"
        value={rows}
        min={minRows}
        max={maxRows}
        set={(next) => change((now) => resizeBoard(now, next, boardSizeOf(now)[1]))}
      />
      <NumberInput
        name="Columns"
        value={cols}
        min={minCols}
        max={maxCols}
        set={(next) => change((now) => resizeBoard(now, boardSizeOf(now)[0], next))}
      />
    </fieldset>
  );
}
