import { escapeHtml, escapeLine } from 'toolwright/internal/light';
import {
  FAULT_TITLES,
  listFindings,
  MARK_TITLES,
  type FaultResult,
  type Finding,
  type ProofSheet,
  type ToolProof,
} from './ProofSheet.js';

const ATTENTION: Readonly<Record<FaultResult['mark'], string>> = {
  none: 'no trace',
  keyed: 'keyed',
  unknown: 'unknown, said so',
  trace: 'trace',
  skipped: '–',
};

/** The short text of a result in a table. A call that succeeds, and acts again without a claim, leaves its work, not a trace of a fault. */
export function describeMark({ broken, fault, mark }: FaultResult): string {
  if (broken !== undefined) return '✘ trace';
  if (mark === 'trace') return fault === 'call' ? 'its work' : 'acts again';
  return ATTENTION[mark];
}

/** Summarizes a sheet in one sentence. */
export function summarizeSheet(sheet: ProofSheet): string {
  const findings = listFindings(sheet);
  const proved = sheet.tools.filter(({ skipped }) => skipped === undefined).length;
  const open = sheet.tools.length - proved;
  const left = open === 0 ? '' : `, ${String(open)} not proved`;
  const count = `${String(proved)} ${proved === 1 ? 'tool' : 'tools'} proved${left}`;
  if (findings.length === 0) return `${count}, every claim holds`;
  const tools = new Set(findings.map(({ tool }) => tool)).size;
  return `${count}, ${String(tools)} ${tools === 1 ? 'claims' : 'claim'} more than ${tools === 1 ? 'it holds' : 'they hold'}`;
}

/** Writes the hints of a tool as they are declared. */
export function describeHints({ hints }: ToolProof): string {
  const given = Object.entries(hints).flatMap(([name, value]) =>
    value === undefined ? [] : [value === true ? name : `${name}: ${String(value)}`],
  );
  return given.length === 0 ? 'none' : given.join(', ');
}

/** Writes the sheet as Markdown: the same text for the same results, so that a repository shows each change. */
export function writeMarkdown(sheet: ProofSheet): string {
  const { prompt, faults, tools } = sheet;
  const findings = listFindings(sheet);
  const head = ['tool', 'claims', ...faults.map((fault) => FAULT_TITLES[fault])];
  const rows = tools.map((proof) => [
    `\`${proof.tool}\``,
    describeHints(proof),
    ...faults.map((fault) => {
      const result = proof.results.find((each) => each.fault === fault);
      return result === undefined ? '–' : describeMark(result);
    }),
  ]);
  const open = tools.filter(({ skipped }) => skipped !== undefined);
  return [
    `# Proof sheet of ${escapeCell(prompt)}`,
    '',
    `${findings.length === 0 ? '✔' : '✘'} ${summarizeSheet(sheet)}.`,
    '',
    ...[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`),
    '',
    ...(findings.length === 0 ? [] : ['## Claims that do not hold', '', ...findings.flatMap(writeFinding)]),
    ...(open.length === 0
      ? []
      : ['## Not proved', '', ...open.map(({ tool, skipped = '' }) => `- \`${tool}\`: ${escapeCell(skipped)}`), '']),
    ...(sheet.notes.length === 0 ? [] : ['## Notes', '', ...sheet.notes.map((note) => `- ${escapeCell(note)}`), '']),
    '## Legend',
    '',
    ...LEGEND.map((each) => `- ${each}`),
    '',
    `\`toolwright prove\`, seed ${String(sheet.seed)}.`,
    '',
  ].join('\n');
}

/** Explains the words of the table. */
const LEGEND: readonly string[] = [
  `${MARK_TITLES.none}: nothing changed that can be seen: session, resources, objects that sections hold, and the export \`outside\``,
  'keyed: repeated under a key: the effect stays, and the same call does not have it twice',
  `${MARK_TITLES.unknown}: the outcome names its effect as unknown, and the model reads to check before it calls again`,
  'its work: the changes of a call without a fault; acts again: a second call acts, and the tool does not claim otherwise',
  '✘ trace: a change stayed that the tool claims not to leave; –: the fault cannot be applied',
];

function writeFinding({ tool, fault, broken = '', note, trace }: Finding): readonly string[] {
  return [
    `### ${tool}: ${FAULT_TITLES[fault]}`,
    '',
    `Claim: ${escapeCell(broken)}. ${escapeCell(note)}`,
    '',
    ...(trace.length === 0
      ? []
      : ['```text', ...trace.map((line) => escapeLine(line).replaceAll('`', "'")), '```', '']),
  ];
}

function escapeCell(text: string): string {
  return escapeLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #c62828; --soft: #8882; }
@media (prefers-color-scheme: dark) { :root { --good: #4cc26a; --bad: #ff7b72; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9em; } th[scope=col] { min-width: 4.5rem; } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.scroll { overflow-x: auto; } .good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .quiet { opacity: .65; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .4rem .8rem; } summary { cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); padding: .6rem; border-radius: .3rem; margin: .4rem 0; }
`;

/** Writes the sheet as one HTML file without scripts and without requests. */
export function writePage(sheet: ProofSheet): string {
  const { prompt, faults, tools } = sheet;
  const findings = listFindings(sheet);
  const head = ['tool', 'claims', ...faults.map((fault) => FAULT_TITLES[fault])];
  const isGood = findings.length === 0;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>Proof sheet of ${escapeHtml(prompt)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Proof sheet of ${escapeHtml(prompt)}</h1>
<p class="${isGood ? 'good' : 'bad'}">${isGood ? '✔' : '✘'} ${escapeHtml(summarizeSheet(sheet))}</p>
<div class="scroll"><table>
<thead><tr>${head.map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>
<tbody>
${tools.map((proof) => writeRow(proof, faults)).join('\n')}
</tbody></table></div>
${isGood ? '' : `<h2>Claims that do not hold</h2>\n${findings.map((finding) => writeDetails(finding, true)).join('\n')}`}
<h2>Every result</h2>
${tools.map(writeTool).join('\n')}
${sheet.notes.map((note) => `<p class="bad">${escapeHtml(note)}</p>`).join('\n')}
<h2>Legend</h2>
<ul>${LEGEND.map((each) => `<li>${escapeHtml(each)}</li>`).join('')}</ul>
<p class="quiet">toolwright prove, seed ${String(sheet.seed)}</p>
</main>
</body>
</html>
`;
}

function writeRow(proof: ToolProof, faults: ProofSheet['faults']): string {
  const cells = faults.map((fault) => {
    const result = proof.results.find((each) => each.fault === fault);
    if (result === undefined) return '<td class="quiet">–</td>';
    const tone =
      result.broken !== undefined ? 'bad' : result.mark === 'skipped' ? 'quiet' : result.mark === 'none' ? 'good' : '';
    return `<td class="${tone}" title="${escapeHtml(result.note)}">${escapeHtml(describeMark(result))}</td>`;
  });
  return `<tr><th scope="row">${escapeHtml(proof.tool)}</th><td>${escapeHtml(describeHints(proof))}</td>${cells.join('')}</tr>`;
}

function writeTool({ tool, results, skipped, arguments: args = '', origin }: ToolProof): string {
  const body =
    skipped === undefined
      ? `<p class="quiet">Arguments (${origin ?? ''}): <code>${escapeHtml(args)}</code></p>\n${results.map((result) => writeDetails({ ...result, tool: '' }, false)).join('\n')}`
      : `<p>${escapeHtml(skipped)}</p>`;
  return `<details><summary>${escapeHtml(tool)}</summary>\n${body}\n</details>`;
}

function writeDetails(finding: Finding, isOpen: boolean): string {
  const { tool, fault, broken, note, trace } = finding;
  const title = `${tool === '' ? '' : `${tool}: `}${FAULT_TITLES[fault]}: ${describeMark(finding)}`;
  const claim = broken === undefined ? '' : `<p class="bad">Claim: ${escapeHtml(broken)}</p>`;
  const lines = trace.length === 0 ? '' : `<pre>${escapeHtml(trace.join('\n'))}</pre>`;
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary>\n${claim}<p>${escapeHtml(note)}</p>\n${lines}</details>`;
}
