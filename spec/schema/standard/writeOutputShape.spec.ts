import { Type } from 'class-transformer';
import { Field, Param } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { writeOutputShape } from '../../../src/schema/standard/writeOutputShape';
import { shapeOf } from '../reading';

describe('outputShape', () => {
  test('a property is always there when it was required or has a default that is always the same', () => {
    let made = 0;
    class Params {
      @Param('A') required!: string;
      @Param('B') initialised = 'x';
      @Param({ default: 5, type: Number }) byOption!: number;
      @Param({ optional: true }) optional?: string;
      @Param('E') each = made++;
    }
    expect(writeClassSchema(writeOutputShape(shapeOf(Params)))['required']).toEqual([
      'required',
      'initialised',
      'byOption',
    ]);
  });

  test('an output shape holds below arrays, records, tuples and unions, and for classes that hold themselves', () => {
    class Leaf {
      @Field('Kind') kind = 'leaf';
    }
    class Tree {
      @Field({ type: [Leaf] }) list: readonly Leaf[] = [];
      @Field({ record: Leaf }) record: Readonly<Record<string, Leaf>> = {};
      @Field({ type: { tuple: [Leaf] } }) tuple!: readonly [Leaf];
      @Field({ oneOf: [Leaf, String] }) union!: Leaf | string;
      @Field({ type: () => Tree, optional: true }) tree?: Tree;
    }
    const shape = shapeOf(Tree);
    const { $defs } = writeClassSchema(writeOutputShape(shape));
    expect($defs).toMatchObject({
      Leaf: { required: ['kind'] },
      Tree: { required: ['list', 'record', 'tuple', 'union'] },
    });
    expect(writeClassSchema(shape)).toMatchObject({ required: ['tuple', 'union'] });
  });

  test('a discriminator is there when instances keep it', () => {
    class Pet {
      @Field('Name') name = 'x';
    }
    class Cat extends Pet {
      @Field('Lives') lives = 9;
    }
    const discriminator = {
      property: 'kind',
      subTypes: [
        { name: 'cat', value: Cat },
        { name: 'pet', value: Pet },
      ],
    };
    class Kept {
      @Field('Pet') @Type(() => Pet, { discriminator, keepDiscriminatorProperty: true }) pet!: Pet;
    }
    class Dropped {
      @Field('Pet') @Type(() => Pet, { discriminator }) pet!: Pet;
    }
    const [kept, dropped] = [Kept, Dropped].map((type) =>
      JSON.stringify(writeClassSchema(writeOutputShape(shapeOf(type)))),
    );
    expect(kept).toContain('"kind"');
    expect(dropped).not.toContain('"kind"');
    for (const text of [kept, dropped]) expect(text).toMatch(/"required":\[[^\]]*"name","lives"\]/);
  });
});
