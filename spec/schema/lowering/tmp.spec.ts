import { z } from 'zod';
import { lower } from '../../../src/schema/lowering';
import { Param } from 'toolwright';
import { classSchema } from '../../../src/schema/jsonSchema';
import { shapeOf } from '../reading';
import { IsNotEmpty, Matches, IsPositive } from 'class-validator';
class Money { @Param('Amount') @IsPositive() amount!: number; @Param({description:'Currency',pattern:/^[A-Z]{3}$/}) currency='EUR'; @Param({description:'n.', integer:true, min:1,max:5}) n!: number; }
class Leaf { @Param({ type: () => [Leaf], description:'Below it' }) leaves!: Leaf[]; }
class P {
  @Param({description:'Name', minLength:2, maxLength:4}) name = 'Ann';
  @Param({description:'Net'}) @IsNotEmpty() net!: Money;
  @Param({optional:true}) gross?: Money;
  @Param({type:{tuple:[String,'integer']}, description:'Point'}) point!: [string,number];
  @Param({type:{tuple:[String,String]}}) pair!: [string,string];
  @Param({enum:['a',1,null,true]}) mixed!: unknown;
  @Param({nullable:true, format:'uri', description:'Link.'}) link!: string|null;
  @Param({nullable:true, default: 5, type: Number}) five!: number|null;
  @Param({type:[String], minItems:1,maxItems:3}) tags: string[] = ['x'];
  @Param({oneOf:[String,Money]}) either!: unknown;
  @Param({type:String}) @Matches(/^(?=a)b/) @Matches(/^c/) look!: string;
  @Param({optional:true}) at?: Date;
}
test('x', () => {
  for (const [t,o] of [['openai',true],['anthropic',true],['gemini',false],['openai',false]] as const)
    console.log(t, JSON.stringify(lower(classSchema(shapeOf(P)), t, {strict:o}), null, 1));
  for (const [t,o] of [['openai',true],['anthropic',true],['gemini',false]] as const)
    console.log(t, JSON.stringify(lower(classSchema(shapeOf(Leaf)), t, {strict:o}), null, 1));
  const Z = z.toJSONSchema(z.discriminatedUnion('kind', [z.object({kind: z.literal('circle'), radius: z.number().positive()}), z.object({kind: z.literal('square'), side: z.number().int(), email: z.email().optional()})]));
  console.log(JSON.stringify(Z));
  for (const [t,o] of [['openai',true],['anthropic',false],['gemini',false],['mcp',false]] as const)
    console.log(t, JSON.stringify(lower(Z as never, t, {strict:o}), null, 1));
});
