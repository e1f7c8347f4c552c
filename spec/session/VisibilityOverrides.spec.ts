import { Session } from 'toolwright';
import { ClearVisibilityOverride, SetVisibilityOverride, VisibilityOverrides } from 'toolwright/conversations';

const overridesOf = (session: Session): unknown => session.slice(VisibilityOverrides).latest()?.overrides;

describe('the slice VisibilityOverrides', () => {
  test('the slice VisibilityOverrides is in every session, and survives JSON, clones and snapshots', () => {
    const session = new Session();
    expect(overridesOf(session)).toBeUndefined();
    session.dispatch(new SetVisibilityOverride('a.constructor', 'full'));
    session.dispatch(new SetVisibilityOverride('b', 'summary'));
    session.dispatch(new SetVisibilityOverride('b', 'full'));
    expect(overridesOf(session)).toEqual({ 'a.constructor': 'full', b: 'full' });
    const read = Session.fromJSON(JSON.parse(JSON.stringify(session)));
    expect(overridesOf(read)).toEqual({ 'a.constructor': 'full', b: 'full' });
    read.dispatch(new ClearVisibilityOverride('b'));
    expect(overridesOf(read)).toEqual({ 'a.constructor': 'full' });
    expect(overridesOf(session.clone())).toEqual({ 'a.constructor': 'full', b: 'full' });
    const snapshot = session.snapshot();
    session.dispatch(new ClearVisibilityOverride('b'));
    session.restore(snapshot);
    expect(overridesOf(session)).toEqual({ 'a.constructor': 'full', b: 'full' });
    expect(session.slice(VisibilityOverrides).all()).toHaveLength(1);
  });

  test('the slice may be listed and installed by hand', () => {
    const session = new Session({ slices: [{ type: VisibilityOverrides, name: 'shown' }] });
    session.install(VisibilityOverrides);
    session.dispatch(new SetVisibilityOverride('a', 'full'));
    expect(overridesOf(session)).toEqual({ a: 'full' });
    expect(session.toJSON().slices).toEqual({ shown: [{ overrides: { a: 'full' } }] });
    expect(overridesOf(session.clone())).toEqual({ a: 'full' });
  });

  test('a class of the same name keeps its name', () => {
    const Own = {
      VisibilityOverrides: class VisibilityOverrides {
        readonly level: number = 1;
      },
    }.VisibilityOverrides;
    const session = new Session({ slices: [Own] });
    session.slice(Own).seed(new Own());
    expect(session.toJSON().slices).toEqual({ VisibilityOverrides: [{ level: 1 }] });
  });
});
