import {
  Body,
  Controller,
  Get,
  Injectable,
  NotFoundException,
  Param,
  Post,
  type OnModuleDestroy,
} from '@nestjs/common';
import { IsBoolean } from 'class-validator';
import type { ApprovalAnswer, Approver, CallContext, ParsedCall } from 'toolwright/policies';
import { CurrentUser } from '../app/auth/current-user.decorator.js';
import { User } from '../app/users/user.entity.js';

interface Question {
  readonly id: string;
  readonly user: string | undefined;
  readonly tool: string;
  readonly params: unknown;
}

/** Calls that wait for their user in this process. */
@Injectable()
export class Approvals implements Approver, OnModuleDestroy {
  readonly #waiting = new Map<string, Question & { readonly answer: (answer: ApprovalAnswer) => void }>();

  approve({ tool, params }: ParsedCall, context: CallContext): Promise<ApprovalAnswer> {
    const id = context.call.idempotencyKey;
    return new Promise((resolve) => {
      const answer = (given: ApprovalAnswer): void => {
        this.#waiting.delete(id);
        resolve(given);
      };
      this.#waiting.set(id, { id, user: context.runMetadata['user'], tool: tool.name, params, answer });
      context.signal.addEventListener('abort', () => answer({ kind: 'denied', reason: 'The user has left.' }));
    });
  }

  waitingFor(user: User): readonly Question[] {
    const own = [...this.#waiting.values()].filter((question) => question.user === user.username);
    return own.map(({ answer: _answer, ...question }) => question);
  }

  answer(id: string, user: User, approved: boolean): void {
    const question = this.#waiting.get(id);
    if (question?.user !== user.username) throw new NotFoundException('There is no such question.');
    question.answer(approved ? { kind: 'approved' } : { kind: 'denied', reason: 'The user said no.' });
  }

  onModuleDestroy(): void {
    for (const { answer } of this.#waiting.values()) answer({ kind: 'denied', reason: 'The server is shutting down.' });
  }
}

class AnswerDto {
  @IsBoolean()
  approved!: boolean;
}

@Controller('approvals')
export class ApprovalsController {
  constructor(private readonly approvals: Approvals) {}

  @Get()
  waiting(@CurrentUser() user: User): readonly Question[] {
    return this.approvals.waitingFor(user);
  }

  @Post(':id')
  answer(@Param('id') id: string, @CurrentUser() user: User, @Body() { approved }: AnswerDto): void {
    this.approvals.answer(id, user, approved);
  }
}
