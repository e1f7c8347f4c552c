import { inspect } from 'node:util';
import {
  PromptError,
  PromptEvaluationError,
  PromptRenderError,
  PromptValidationError,
  ToolwrightError,
  type Finding,
} from 'toolwright';
import { createFinding } from '../../src/error/Finding.js';

const first: Finding = createFinding('E304', 'the placeholder "x" has no value', {
  place: 'OrdersSection',
  sectionPath: 'orders',
  toolName: 'get_order',
  paramsType: 'DeskParams',
  placeholder: 'x',
});
const second: Finding = createFinding('E311', 'the title is empty', {
  place: 'RefundsSection',
  sectionPath: 'refunds',
});

describe('PromptValidationError', () => {
  test('PromptValidationError mirrors the first finding and keeps them all', () => {
    const error = new PromptValidationError([first, second]);
    expect(error).toMatchObject({
      name: 'PromptValidationError',
      code: 'E304',
      place: 'OrdersSection',
      remedy: first.remedy,
      sectionPath: 'orders',
      toolName: 'get_order',
      paramsType: 'DeskParams',
      placeholder: 'x',
      findings: [first, second],
    });
  });

  test('the message counts the findings and lists each, with its remedy and page', () => {
    const { message } = new PromptValidationError([first, second]);
    expect(message.split('\n')).toEqual([
      '2 faults in the declarations:',
      '',
      'E304 OrdersSection: the placeholder "x" has no value',
      expect.stringMatching(/^ {2}fix: .+\. \(docs\/errors\.md#e304\)$/),
      'E311 RefundsSection: the title is empty',
      expect.stringMatching(/^ {2}fix: .+\. \(docs\/errors\.md#e311\)$/),
    ]);
    expect(new PromptValidationError([second]).message).toMatch(/^1 fault in the declarations:/);
  });

  test('a process that ends with it prints each finding once', () => {
    const printed = inspect(new PromptValidationError([first, second]), { customInspect: false });
    expect(printed.match(/the placeholder "x" has no value/g)).toHaveLength(1);
    expect(printed).not.toContain('findings');
  });
});

describe('PromptRenderError', () => {
  test('the place of a PromptRenderError is the section, unless a nearer one is known', () => {
    const details = { code: 'E503', sectionPath: 'orders.refunds', placeholder: 'limit', paramsType: 'P' } as const;
    const error = new PromptRenderError('it has no value', details);
    expect(error).toMatchObject({
      name: 'PromptRenderError',
      code: 'E503',
      sectionPath: 'orders.refunds',
      placeholder: 'limit',
      paramsType: 'P',
    });
    expect(error.message).toMatch(/^E503 orders\.refunds: it has no value\n {2}fix: .+ \(docs\/errors\.md#e503\)$/);
    const placed = new PromptRenderError('it has no value', { ...details, place: 'RefundsSection.renderBody' });
    expect(placed.message).toContain('E503 RefundsSection.renderBody: ');
    expect(placed.sectionPath).toBe('orders.refunds');
  });
});

describe('PromptEvaluationError', () => {
  test('a PromptEvaluationError has its phase, and a code by default', () => {
    const cause = new Error('429');
    const error = new PromptEvaluationError('The provider refused.', { phase: 'request', cause });
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E701', cause });
    expect(new PromptEvaluationError('x', { phase: 'tool', code: 'E601' }).code).toBe('E601');
  });
});

describe('the family', () => {
  test('each class knows its own and its children, and nothing else', () => {
    const errors = [
      new PromptError('x', { code: 'E403' }),
      new PromptValidationError([first]),
      new PromptRenderError('x', { code: 'E501', sectionPath: 'orders' }),
      new PromptEvaluationError('x', { phase: 'tool' }),
    ];
    const classes = [PromptError, PromptValidationError, PromptRenderError, PromptEvaluationError];
    expect(errors.map((error) => classes.map((type) => error instanceof type))).toEqual([
      [true, false, false, false],
      [true, true, false, false],
      [true, false, true, false],
      [true, false, false, true],
    ]);
    expect(errors.every((value) => value instanceof ToolwrightError)).toBe(true);
    const base = new ToolwrightError('x', { code: 'E403' });
    expect(classes.some((type) => base instanceof type)).toBe(false);
  });
});
