/** Controls that choose which players the computer plays for, how well it plays, and whether the values of moves are shown. */
import type { JSX } from 'preact';
import {
  computerWaits,
  letComputerMove,
  setComputerPlays,
  setSkill,
  setValuesShown,
} from '../state/playing.js';
import type { ComputerSkill } from '../state/state.js';
import type { PartProps } from './parts.js';

export const SKILL_LEVELS: readonly (readonly [skill: ComputerSkill, name: string])[] = [
  ['best', 'plays best'],
  ['fair', 'makes mistakes'],
  ['random', 'plays at random'],
];

export function Players({ state, change }: PartProps): JSX.Element | null {
  const { show } = state.problem;
  if (show.kind !== 'game') return null;
  return (
    <section class="panel players" aria-label="Players">
      {([0, 1] as const).map((player) => (
        <Switch
          label={`Computer plays ${show.playerNames[player]}`}
          isOn={state.isComputer[player]}
          set={(isOn) => change((now) => setComputerPlays(now, player, isOn))}
        />
      ))}
      <Switch
        label="Show values"
        isOn={state.hasValues}
        set={(isOn) => change((now) => setValuesShown(now, isOn))}
      />
      <label class="switch">
        <span>The computer</span>
        <select
          value={state.skill}
          onChange={(event) => {
            const skill = event.currentTarget.value as ComputerSkill;
            change((now) => setSkill(now, skill));
          }}
        >
          {SKILL_LEVELS.map(([skill, name]) => (
            <option value={skill}>{name}</option>
          ))}
        </select>
      </label>
      {computerWaits(state) && (
        <button type="button" onClick={() => change(letComputerMove)}>
          Let the computer move
        </button>
      )}
    </section>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}

function Switch({ label, isOn, set }: SwitchProps): JSX.Element {
  return (
    <label class="switch">
      <input type="checkbox" checked={isOn} onChange={(event) => set(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
