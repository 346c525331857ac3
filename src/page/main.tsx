import { render } from 'preact';
import { useState } from 'preact/hooks';

function App() {
  const [count, setCount] = useState(0);
  return <button type="button" onClick={() => setCount(count + 1)}>{`clicked ${count}`}</button>;
}
render(<App />, document.getElementById('page')!);
