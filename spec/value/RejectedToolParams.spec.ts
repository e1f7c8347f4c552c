import { RejectedToolParams } from 'toolwright/events';

describe('RejectedToolParams', () => {
  test.each(['{"orderId": ', null, { orderId: 5 }, [1]])('RejectedToolParams holds %p as it came', (rawArguments) => {
    expect(new RejectedToolParams(rawArguments).rawArguments).toBe(rawArguments);
  });
});
