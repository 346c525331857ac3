/** A component that is only drawn again when one of its properties has changed, so that a move on a large board is fast. */
import { Component } from 'preact';

export abstract class MemoComponent<Props extends object> extends Component<Props> {
  override shouldComponentUpdate(next: Readonly<Props>): boolean {
    const names = Object.keys(next) as (keyof Props)[];
    return names.some((name) => next[name] !== this.props[name]);
  }
}
