import assert from 'node:assert/strict';
import {
  Injectable,
  Module,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Field, GqlExecutionContext, InputType, PartialType, registerEnumType } from '@nestjs/graphql';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsDefined, IsEmail, IsString } from 'class-validator';
import { Prompt, Section, Tool } from 'toolwright';
import { Toolwright, ToolwrightModule } from '@toolwright/nestjs';
import type { Check } from './platform.js';

/** A DTO of a controller, described for its OpenAPI document. */
class CreateUserDto {
  @ApiProperty({ description: 'Name that others see', example: 'ann' })
  @IsString()
  name!: string;

  @ApiProperty({ description: 'Address for letters' })
  @IsEmail()
  email!: string;
}

class RenameDto extends PickType(CreateUserDto, ['name'] as const) {}

enum Mood {
  Calm = 'calm',
  Angry = 'angry',
}
registerEnumType(Mood, { name: 'Mood' });

/** An input of a resolver. */
@InputType()
class NoteInput {
  @Field({ description: 'The text of the note' })
  @IsString()
  text!: string;

  @Field(() => Mood, { description: 'How it is meant' })
  @IsDefined()
  mood!: Mood;
}

@InputType()
class UpdateNoteInput extends PartialType(NoteInput) {}

interface Signed {
  readonly user?: string;
}

/** A guard of resolvers: reads the request out of the context of GraphQL. */
@Injectable()
class GqlGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { req } = GqlExecutionContext.create(context).getContext<{ req: Signed }>();
    if (req.user === undefined) throw new UnauthorizedException('Sign in first.');
    return true;
  }
}

@Injectable()
@UseGuards(GqlGuard)
@Section({ key: 'notes', title: 'Notes' })
class Notes {
  @Tool('Renames the user.')
  rename({ name }: RenameDto): string {
    return `renamed ${name}`;
  }

  @Tool('Changes a note.')
  updateNote({ text }: UpdateNoteInput): string {
    return `changed ${String(text)}`;
  }
}

@Prompt({ ns: 'cells', key: 'notes', sections: [Notes] })
class Notebook {}

@Module({ imports: [ToolwrightModule.forRoot()], providers: [GqlGuard, Notes, Notebook] })
class NotesModule {}

/** DTOs of Swagger, inputs and guards of GraphQL, with the packages themselves. */
export const descriptions: readonly Check[] = [
  {
    title:
      'descriptions of Swagger are those of tools, mapped types of GraphQL keep theirs, and its guards find the request',
    run: async () => {
      const nest = await NestFactory.createApplicationContext(NotesModule, { logger: false } as object);
      try {
        const toolwright = nest.get(Toolwright);
        const rendered = await toolwright.app.prompt(Notebook).render();
        const [rename, update] = rendered.tools.map(({ schema }) => JSON.stringify(schema));
        assert.match(rename!, /"name":\{[^}]*Name that others see/);
        assert.doesNotMatch(rename!, /email/);
        assert.match(update!, /"text":\{[^}]*The text of the note/);
        assert.match(update!, /"mood":\{[^}]*How it is meant/);
        assert.match(update!, /"enum":\["calm","angry"\]/);
        assert.doesNotMatch(update!, /required/);
        const call = async (request: Signed): Promise<string> => {
          const outcome = await toolwright.withRequest(request, (runMetadata) =>
            toolwright.app.invoke(rendered, 'update_note', { text: 'Thus.' }, { runMetadata }),
          );
          return outcome.text;
        };
        assert.equal(await call({ user: 'ann' }), 'changed Thus.');
        assert.match(await call({}), /Sign in first/);
      } finally {
        await nest.close();
      }
    },
  },
];
