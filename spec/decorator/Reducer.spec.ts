import { SliceOps, Reducer, type SliceOp } from 'toolwright';
import { findArgs } from '../../src/metadata/args/MetadataArgsStorage.js';

describe('Reducer', () => {
  test('Reducer writes down the method and the event, without calling the thunk', () => {
    class AddStep {}
    let called = 0;
    const event = () => {
      called++;
      return AddStep;
    };
    class Plan {
      @Reducer(event) addStep(_event: AddStep): SliceOp<Plan> {
        return SliceOps.append(new Plan());
      }
    }
    expect(findArgs(Plan)?.reducers).toEqual([{ member: 'addStep', event, isStatic: false }]);
    expect(called).toBe(0);
  });

  test('a static method is written down as one, for the session to refuse', () => {
    class AddStep {}
    class Plan {
      static addStep(_event: AddStep): SliceOp<Plan> {
        return SliceOps.append(new Plan());
      }
    }
    const decorate = Reducer(() => AddStep) as unknown as (target: object, member: string) => void;
    decorate(Plan, 'addStep');
    expect(findArgs(Plan)?.reducers).toMatchObject([{ member: 'addStep', isStatic: true }]);
  });
});
