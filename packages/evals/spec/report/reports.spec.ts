import {
  compareReports,
  type EvalReport,
  runEval,
  writeComparison,
  writeHtml,
  writeJson,
  writeJUnit,
  writeSummary,
} from '@toolwright/evals';
import { ReportBuilder } from '../../src/report/ReportBuilder';
import { MAX_SHOWN_FAILURES } from '../../src/limits';
import type { TaskResult } from '../../src/results/TaskResult';
import { defineEcho } from '../support/desk';

const head = { name: 'e', version: undefined, tasksHash: 'h', tasks: 4, epochs: 2, scorers: ['good', 'near'] };

/** A result of the task `t0`, `t1` … */
const createResult = (index: number, epoch: number, pass: boolean, given: Partial<TaskResult> = {}): TaskResult => ({
  task: `t${String(index)}`,
  index,
  epoch,
  pass,
  scores: { good: { pass, value: Number(pass), reason: pass ? undefined : 'bad' }, near: { value: pass ? 0.75 : 0.5 } },
  durationMs: 10,
  usage: { inputTokens: 5, outputTokens: 1 },
  ...given,
});
const buildReport = (results: readonly TaskResult[], changes: object = {}, gates = {}): EvalReport => {
  const builder = new ReportBuilder({ ...head, ...changes }, gates);
  for (const result of results) builder.add(result);
  return builder.build();
};
/** All results of `head`: the letters of a text are the runs, `+` for one that passes. */
const createResults = (text: string, epochs = 2, group?: string): readonly TaskResult[] =>
  Array.from(text, (letter, at) => createResult(Math.floor(at / epochs), (at % epochs) + 1, letter === '+', { group }));

describe('reports', () => {
  test('the figures of a report are those of its results', () => {
    const report = buildReport(createResults('++++-+--'));
    expect(report.scorers[0]).toMatchObject({ name: 'good', runs: 8, share: { value: 0.625, count: 8 } });
    expect(report.scorers[0]!.passes).toEqual([
      { k: 1, any: 0.625, all: 0.625 },
      { k: 2, any: 0.75, all: 0.5 },
    ]);
    expect(report.scorers[1]).toMatchObject({ share: undefined, mean: { value: 0.65625 }, passes: [] });
    expect(report.tasks[2]).toEqual({
      id: 't2',
      group: undefined,
      runs: 2,
      passed: 1,
      errors: 0,
      durationMs: 20,
      scores: { good: { runs: 2, share: 0.5, mean: 0.5 }, near: { runs: 2, share: undefined, mean: 0.625 } },
    });
    expect(report).toMatchObject({
      cost: { sum: 0, unknown: 8 },
      inputTokens: { sum: 40, unknown: 0 },
      durationMs: 80,
    });
  });

  test('the order in which runs end does not change a byte of any report', () => {
    const results = createResults('+--+-+-+');
    const [one, other] = [results, [...results].reverse()].map((all) => buildReport(all));
    for (const write of [writeJson, writeJUnit, writeHtml, writeSummary]) expect(write(one!)).toBe(write(other!));
  });

  test('intervals of one group are wider than those of independent tasks', () => {
    const results = createResults('++++----');
    const apart = buildReport(results).overall.share!;
    const grouped = buildReport(results.map((result) => ({ ...result, group: result.index < 2 ? 'a' : 'b' }))).overall
      .share!;
    expect(grouped.value).toBe(apart.value);
    expect(grouped.upper - grouped.lower).toBeGreaterThan(apart.upper - apart.lower);
  });

  test('a report keeps the first failures by task, however many there are and whatever their order', () => {
    const count = 3 * MAX_SHOWN_FAILURES;
    const results = Array.from({ length: count }, (_, index) => createResult(count - 1 - index, 1, false));
    const report = buildReport(results, { tasks: count, epochs: 1 });
    expect(report.failures.map(({ index }) => index)).toEqual([...Array(MAX_SHOWN_FAILURES).keys()]);
    expect(report.furtherFailures).toBe(count - MAX_SHOWN_FAILURES);
    expect(writeHtml(report)).toContain(`${String(count - MAX_SHOWN_FAILURES)} further runs`);
  });

  test('a run without a score counts as one that does not pass, where the scorer applies', () => {
    const lost = createResults('++++++++').map((result) => {
      const { index, epoch, scores } = result;
      if (index === 0 && epoch === 1) return { ...result, pass: false, error: 'hung', scores: {} };
      if (index === 1 && epoch === 1) {
        const failed = { value: 0, failed: true as const };
        return { ...result, pass: false, scores: { good: failed, near: failed } };
      }
      // The scorer does not apply to the third task, whose other run has failed.
      if (index === 2) return { ...result, pass: epoch === 2, error: epoch === 1 ? 'hung' : undefined, scores: {} };
      return { ...result, scores };
    });
    const report = buildReport(lost, {}, { good: { share: 0.7 } });
    expect(report.overall).toMatchObject({ runs: 8, failed: 3, share: { value: 5 / 8 } });
    expect(report.scorers).toMatchObject([
      { name: 'good', runs: 6, failed: 2, share: { value: 4 / 6, count: 6 }, passes: [{ k: 1 }, { k: 2, all: 1 / 3 }] },
      { name: 'near', runs: 6, failed: 2, share: undefined, mean: { value: (4 * 0.75) / 6 } },
    ]);
    expect(report.tasks.map(({ scores }) => scores['good']?.share)).toEqual([0.5, 0.5, undefined, 1]);
    expect(report.passed).toBe(false);
  });

  test('an eval whose runs have all failed meets no gate', () => {
    const results = createResults('--------').map((result) => ({ ...result, error: 'hung', scores: {} }));
    const report = buildReport(results, {}, { good: { share: 0.1 } });
    expect(report.gates).toEqual([{ scorer: 'good', kind: 'share', minimum: 0.1, actual: 0, met: false }]);
  });

  test('an unfinished eval has not passed, and every form says so', () => {
    const report = buildReport(createResults('++'));
    expect(report).toMatchObject({ complete: false, passed: false });
    for (const write of [writeJUnit, writeHtml, writeSummary]) expect(write(report)).toContain('2 of 8 runs finished');
  });

  test('the summary has intervals, repeats, gates and the verdict', () => {
    const gates = { good: { share: 0.6, lower: 0.5 } };
    expect(writeSummary(buildReport(createResults('++++-+--'), {}, gates))).toBe(
      [
        'e: 4 tasks × 2',
        '  overall  62.5 % [23.9, 89.9], pass@2 75.0 %, pass^2 50.0 %',
        '  good     62.5 % [23.9, 89.9], pass@2 75.0 %, pass^2 50.0 %',
        '  near     mean 65.6 % [53.9, 77.4]',
        '  gate good: share 62.5 %, at least 60.0 %: met',
        '  gate good: lower 23.9 %, at least 50.0 %: not met',
        'failed',
      ].join('\n'),
    );
  });
});

describe('files of reports', () => {
  const hostile = '<script>alert("1")</script> & \u001b[31m \u202e \u0000 \ud800 ]]>';
  const results = createResults('-+++++++').map((result) => {
    const scores = { good: { ...result.scores['good']!, reason: hostile } };
    return { ...result, scores, text: hostile, calls: [{ name: hostile, arguments: hostile }] };
  });
  const report = buildReport([{ ...results[0]!, error: hostile, task: hostile }, ...results.slice(1)], {
    name: hostile,
  });

  test('a page of HTML has no scripts, makes no requests, and escapes what a model wrote', () => {
    const html = writeHtml(report);
    expect(html).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html).not.toMatch(/<script|<link|<img|https?:|url\(|@import/i);
    expect(html).not.toMatch(/[\u0000\u001b\u202e]/);
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; \\u001b[31m \\u202e');
  });

  test('JUnit has a case for each task, and is XML without illegal characters', () => {
    const xml = writeJUnit(report);
    expect(xml).not.toMatch(/[\u0000\u001b\ud800]|<script/);
    expect(xml.match(/<testcase /g)).toHaveLength(4);
    expect(xml).toMatch(/<testsuite name="&lt;script[^>]*" tests="4" failures="1" errors="0" time="0.080">/);
    expect(xml).toMatch(/<failure message="1 of 2 runs passed">1 of 2 runs passed\n&lt;script&gt;/);
  });

  test('with gates, JUnit fails only when a gate does', () => {
    const write = (share: number) => writeJUnit(buildReport(createResults('-+++++++'), {}, { good: { share } }));
    expect(write(0.8)).toMatch(/tests="5" failures="0".*<system-out>1 of 2 runs passed\ngood: bad<\/system-out>/s);
    expect(write(0.9)).toMatch(
      /tests="5" failures="1".*<failure message="gate good: share 87.5 %, at least 90.0 %: not met"/s,
    );
  });

  test('JSON is the report', () => {
    expect(JSON.parse(writeJson(buildReport(createResults('++++++++'))))).toMatchObject({
      format: 'toolwright/eval-report',
      passed: true,
    });
  });
});

describe('comparisons', () => {
  const compare = (baseline: string, candidate: string, epochs = 2) =>
    compareReports(
      ...([baseline, candidate].map((text) => {
        return buildReport(createResults(text, epochs), { epochs, tasks: text.length / epochs });
      }) as [EvalReport, EvalReport]),
    );

  test('a comparison names the tasks that changed, with McNemar for tasks that ran once', () => {
    const { overall, scorers } = compare('++++++--', '+------+', 1);
    expect(overall).toMatchObject({
      baseline: 0.75,
      candidate: 0.25,
      difference: -0.5,
      test: 'mcnemar',
      pValue: expect.closeTo(0.21875, 9) as number,
    });
    expect(overall.regressed).toEqual(['t1', 't2', 't3', 't4', 't5']);
    expect(overall.improved).toEqual(['t7']);
    expect(scorers.map(({ name, test }) => [name, test])).toEqual([
      ['good', 'mcnemar'],
      ['near', 'sign-flip'],
    ]);
  });

  test('several epochs are compared task by task', () => {
    const { overall } = compare('++++++++', '+-+-+---');
    expect(overall).toMatchObject({ difference: -0.625, test: 'sign-flip', pValue: 0.125 });
    expect(overall.lower).toBeLessThan(-0.625);
    expect(overall.upper).toBeGreaterThan(-0.625);
  });

  test('two equal runs do not differ', () => {
    expect(compare('+-+-', '+-+-').overall).toMatchObject({ difference: 0, pValue: 1, improved: [], regressed: [] });
  });

  test('a comparison is written with its figures and names', () => {
    expect(writeComparison(compare('++++++--', '+------+', 1))).toMatch(
      /^e\n {2}overall: 75.0 % → 25.0 %, −50.0 % \[−.*\], p = 0.2188 \(mcnemar\)\n {4}worse: t1, t2, t3, t4, t5\n {4}better: t7\n/,
    );
  });

  test('results that cannot be compared are refused with the reason', () => {
    const report = buildReport(createResults('++++++++'));
    const refuse = (candidate: EvalReport, message: RegExp) => {
      expect(() => compareReports(report, candidate)).toThrow(expect.objectContaining({ code: 'E995' }) as Error);
      expect(() => compareReports(report, candidate)).toThrow(message);
    };
    refuse({ ...report, name: 'other' }, /the baseline is of the eval "e", the other report of "other"/);
    refuse(buildReport(createResults('++++++')), /the candidate has 6 of 8 runs/);
    refuse({ ...report, tasksHash: 'x' }, /their tasks are different, with the same ids/);
    const tasks = [...report.tasks.slice(1), { ...report.tasks[0]!, id: 'new' }];
    refuse({ ...report, tasksHash: 'x', tasks }, /only in the baseline: t0; only in the other: new/);
  });

  test('reports of runs are compared as they are', async () => {
    const tasks = [1, 2, 3].map((id) => ({ id: String(id), input: 'x' }));
    const [before, after] = await Promise.all(
      [2, 3].map((least) => runEval(defineEcho({ tasks, score: { least: ({ task }) => Number(task.id) >= least } }))),
    );
    expect(compareReports(before!, after!).overall).toMatchObject({ regressed: ['2'], improved: [] });
  });
});
