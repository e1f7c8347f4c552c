import { Controller, Get, Inject, NotFoundException, Param, Post, Res } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { findPerson, people, signPerson, type Person } from './people.js';

/** The token of the name of the model, or of the script. */
export const ANSWERED_BY = 'ANSWERED_BY';

/** The sign-in of this demo: every request is let in. */
@Controller('api/people')
export class PeopleController {
  constructor(@Inject(ANSWERED_BY) private readonly answeredBy: string) {}

  @Get()
  list(): { readonly people: readonly Person[]; readonly answeredBy: string } {
    return { people, answeredBy: this.answeredBy };
  }

  @Post(':id/sign-in')
  signIn(@Param('id') id: string, @Res({ passthrough: true }) response: ServerResponse): Person {
    const person = findPerson(id);
    if (person === undefined) throw new NotFoundException('There is no person of this name.');
    response.setHeader('set-cookie', `desk-${id}=${signPerson(person)}; Path=/; HttpOnly; SameSite=Strict`);
    return person;
  }

  @Post(':id/sign-out')
  signOut(@Param('id') id: string, @Res({ passthrough: true }) response: ServerResponse): object {
    if (findPerson(id) === undefined) throw new NotFoundException('There is no person of this name.');
    response.setHeader('set-cookie', `desk-${id}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`);
    return {};
  }
}
