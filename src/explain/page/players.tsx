/** Controls that choose which players the computer plays for, and whether the values of moves are shown. */
import type { JSX } from 'preact';
import type { PartProps } from './parts.js';
import { setComputer, showValues } from './state.js';

export function Players({ state, change }: PartProps): JSX.Element {
  const names = state.session?.kind === 'game' ? state.session.game.playerNames : ['player 1', 'player 2'];
  return (
    <section class="panel players" aria-label="Players">
      {([0, 1] as const).map((player) => (
        <Switch
          label={`Computer plays ${names[player]}`}
          isOn={state.isComputer[player]}
          set={(isOn) => change((now) => setComputer(now, player, isOn))}
        />
      ))}
      <Switch
        label="Show values"
        isOn={state.hasValues}
        set={(isOn) => change((now) => showValues(now, isOn))}
      />
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
