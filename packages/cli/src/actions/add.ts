import type { CommandContext } from '../Context.js';
import { planAddition } from '../add/planAddition.js';
import { lookAround } from '../add/Surroundings.js';
import { paintDiff, writeUnifiedDiff } from '../add/writeUnifiedDiff.js';
import { showError } from '../errors.js';
import { writeFiles } from '../init/writeFiles.js';
import { Questions } from '../terminal/Questions.js';
import { showSteps } from '../terminal/Terminal.js';
import { line } from '../terminal/TerminalText.js';

export interface AddOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function add(context: CommandContext, { yes = false, json = false }: AddOptions): Promise<void> {
  const { terminal, folder } = context;
  const found = lookAround(folder);
  const { changes, findings, notes, steps } = planAddition(found);
  if (findings.length > 0) context.fail();
  const diffs = changes.map((change) => ({ file: change.path, diff: writeUnifiedDiff(change) }));
  if (json) {
    if (yes) writeFiles(folder, changes);
    const { kind, format, runner, manager } = found;
    const faults = findings.map(({ code, place, problem: message, remedy }) => ({ code, place, message, remedy }));
    terminal.json({
      folder,
      kind,
      format,
      runner,
      manager,
      applied: yes,
      changes: diffs,
      findings: faults,
      notes,
      steps,
    });
    return;
  }
  for (const { diff } of diffs) terminal.data(paintDiff(diff));
  for (const note of notes) terminal.note(line`${note}`);
  for (const finding of findings) showError(terminal, finding, { json });
  if (changes.length === 0) {
    terminal.note(findings.length > 0 ? 'Nothing else is missing.' : 'Everything is there: nothing was changed.');
    return;
  }
  if (!yes && !Questions.canAsk) {
    terminal.note('\nNothing was changed. toolwright add --yes writes these files.');
    return;
  }
  const answer = yes || (await new Questions(terminal).confirm(line`Write these files?`));
  if (answer === undefined) context.fail();
  if (answer !== true) {
    terminal.note('Nothing was changed.');
    return;
  }
  writeFiles(folder, changes);
  showSteps(terminal, steps);
}
