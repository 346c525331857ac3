/** Starts a game on a random board, or the puzzles of a level. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { PUZZLE_LEVELS } from '../engine/puzzles.js';
import { returnToPageBoard, startNewGame, startPuzzles, type UserSide } from '../state/new-game.js';
import { boardSizeOf, type ComputerSkill } from '../state/state.js';
import { MessageAt } from './message.js';
import { NumberInput } from './number-input.js';
import type { PartProps } from './parts.js';
import { SKILL_LEVELS } from './players.js';

interface NewGameProps extends PartProps {
  readonly close: () => void;
}

export function NewGameForm({ state, change, close }: NewGameProps): JSX.Element {
  const [boardRows, boardCols] = boardSizeOf(state);
  const [rows, setRows] = useState(boardRows);
  const [cols, setCols] = useState(boardCols);
  const [seed, setSeed] = useState(newSeed);
  const [side, setSide] = useState<UserSide>('both');
  const [skill, setSkill] = useState<ComputerSkill>(state.skill);
  const { style, show } = state.problem;
  const { limits } = style;
  const isGame = show.kind === 'game';
  const start = () => {
    const game = { side, rows, cols, skill, seed };
    const isRefused = startNewGame(state, game).message?.isError;
    change((now) => startNewGame(now, game));
    if (!isRefused) close();
  };
  const startLevel = (level: number) => {
    change((now) => startPuzzles(now, level, seed));
    close();
  };
  return (
    <>
      <form
        class="new-game"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        {show.kind === 'game' && (
          <Choice
            label="You play"
            value={side}
            set={setSide}
            options={[
              ['both', 'both sides'],
              ['first', show.playerNames[0]],
              ['second', show.playerNames[1]],
            ]}
          />
        )}
        {isGame && side !== 'both' && (
          <Choice label="The computer" value={skill} set={setSkill} options={SKILL_LEVELS} />
        )}
        <NumberInput name="Rows" value={rows} min={limits.minRows} max={limits.maxRows} set={setRows} />
        <NumberInput name="Columns" value={cols} min={limits.minCols} max={limits.maxCols} set={setCols} />
        <label class="field wide">
          Seed (the same seed and size give the same board)
          <input value={seed} maxLength={40} onInput={(event) => setSeed(event.currentTarget.value)} />
        </label>
        <MessageAt place="new-game" state={state} change={change} />
        <button type="submit" class="primary">
          Start
        </button>
      </form>
      <button
        type="button"
        onClick={() => {
          change(returnToPageBoard);
          close();
        }}
      >
        Back to the board of this page
      </button>
      {isGame && (
        <>
          <h3>Puzzles</h3>
          <p class="hint">Five boards a level. On each of them, exactly one first move wins.</p>
          <div class="buttons">
            {Array.from({ length: PUZZLE_LEVELS }, (_, level) => (
              <button type="button" onClick={() => startLevel(level)}>
                Level {level + 1}
              </button>
            ))}
          </div>
        </>
      )}
    </>
  );
}

/** Seeds are chosen anew, so that each new game has another board. */
function newSeed(): string {
  return String(Math.floor(Math.random() * 1e6));
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly set: (value: Value) => void;
  readonly options: readonly (readonly [value: Value, name: string])[];
}

function Choice<Value extends string>({ label, value, set, options }: ChoiceProps<Value>): JSX.Element {
  return (
    <label class="field wide">
      {label}
      <select value={value} onChange={(event) => set(event.currentTarget.value as Value)}>
        {options.map(([option, name]) => (
          <option value={option}>{name}</option>
        ))}
      </select>
    </label>
  );
}
