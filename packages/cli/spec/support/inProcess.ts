import { Interrupts } from '../../src/Interrupts';
import { runProgram } from '../../src/runProgram';
import { Terminal } from '../../src/terminal/Terminal';
import type { Ran } from './CliProject';

/** Runs a command that loads no module of a user in this process, which costs a hundredth of a process of its own. */
export async function runHere(folder: string, args: readonly string[]): Promise<Ran> {
  let [out, err] = ['', ''];
  let failed = 0;
  const terminal = new Terminal(
    { write: (text) => (out += text) },
    { write: (text) => (err += text) },
    { NO_COLOR: '1' },
  );
  const interrupts = new Interrupts(() => undefined);
  const fail = (code = 1): void => {
    failed = code;
  };
  const context = { terminal, folder, interrupts, signal: interrupts.signal, fail, releaseOutput: () => undefined };
  const code = await runProgram(context, ['node', 'toolwright', ...args]);
  return { code: code ?? failed, out, err };
}
