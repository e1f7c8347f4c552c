import { ToolResult } from 'toolwright';
import { ToolInvoked, type ToolInvokedFields } from 'toolwright/events';

const fields: ToolInvokedFields = {
  id: 'e1',
  time: 1_000,
  sessionId: 's1',
  runMetadata: {},
  name: 'get_order',
  callId: 'c1',
  caller: 'direct',
  params: { orderId: '#W1' },
  result: ToolResult.ok('x'),
  renderedOutput: 'x',
  toolMessage: 'OK\n\nx',
  kind: 'succeeded',
  durationMs: 3,
};

describe('ToolInvoked', () => {
  test('ToolInvoked holds what it is given, and no more', () => {
    const event = new ToolInvoked(fields);
    expect(Object.entries(event)).toEqual(Object.entries(fields));
    expect(event.constructor).toBe(ToolInvoked);
    expect('error' in event).toBe(false);
  });

  test('ToolInvoked is frozen, but its params are not', () => {
    const params = { orderId: '#W1' };
    const event = new ToolInvoked({ ...fields, params });
    expect(() => Object.assign(event, { kind: 'failed' })).toThrow(TypeError);
    params.orderId = '#W2';
    expect(event.params).toEqual({ orderId: '#W2' });
  });

  test('ToolInvoked keeps the error and the effect of a failure', () => {
    const error = new Error('no stock');
    const event = new ToolInvoked({ ...fields, kind: 'failed', result: null, error, effect: 'unknown' });
    expect(event).toMatchObject({ kind: 'failed', result: null, effect: 'unknown' });
    expect(event.error).toBe(error);
  });
});
