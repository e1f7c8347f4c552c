import { Session } from 'toolwright';
import { PolicyRecord } from 'toolwright/policies';

describe('PolicyRecord', () => {
  test('goes through JSON, as an instance', () => {
    const session = new Session({ slices: [PolicyRecord] });
    session.dispatch(new PolicyRecord('p', 't', null, 1));
    session.dispatch(new PolicyRecord('p', 't', 'a.txt', 2));
    const later = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices: [PolicyRecord] });
    expect(later.slice(PolicyRecord).all()).toEqual(session.slice(PolicyRecord).all());
    expect(later.slice(PolicyRecord).latest()).toBeInstanceOf(PolicyRecord);
  });

  test('a session without its registered name says so when it is written', () => {
    const session = new Session();
    session.dispatch(new PolicyRecord('p', 't', null, 1));
    expect(() => session.toJSON()).toThrow(/PolicyRecord.*\n.*slices: \[PolicyRecord\]/s);
  });
});
