import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { toolCallOf } from '@toolwright/nestjs';
import { of, tap, type Observable } from 'rxjs';
import { RetailStore } from '../../20-retail-desk/store/RetailStore.js';
import { readPerson, type Person } from './people.js';
import { Shop } from './Shop.js';

/** A request whose sender is known: of HTTP, or the stand-in that calls of a run get. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  person?: Person;
}

/** For controllers: refuses requests without a valid cookie. */
@Injectable()
export class SignedIn implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const request = host.switchToHttp().getRequest<SignedRequest>();
    const person = readPerson(request.headers);
    if (person === undefined) throw new UnauthorizedException('Sign in first.');
    request.person = person;
    return true;
  }
}

/** Fields of arguments that say whose data a call is about. */
interface Subject {
  readonly orderId?: string;
  readonly userId?: string;
  readonly email?: string;
}

/** Global, for tool calls: whatever the model believes, a call is only about the customer for whom it is made. */
@Injectable()
export class OwnData implements CanActivate {
  constructor(private readonly shop: Shop) {}

  canActivate(host: ExecutionContext): boolean {
    const call = toolCallOf(host);
    if (call === undefined) return true;
    const { person } = call.request as SignedRequest;
    const { orderId, userId, email } = (call.params ?? {}) as Subject;
    const owner = orderId === undefined ? userId : this.shop.orders.get(orderId)?.user_id;
    const isForeign = owner !== undefined && owner !== person?.userId;
    if (isForeign || (email !== undefined && email.toLowerCase() !== person?.email))
      throw new ForbiddenException('This belongs to another customer. Serve only the one who has signed in.');
    return true;
  }
}

/** Global, for tool calls: a call that was cut off is repeated with the same key, and then returns what it has done before. */
@Injectable()
export class DoneOnce implements NestInterceptor {
  constructor(private readonly shop: Shop) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const call = toolCallOf(host);
    if (call === undefined) return next.handle();
    const { context } = call;
    const key = context.call.idempotencyKey;
    const before = this.shop.committedBy(key);
    if (before !== undefined) return of(before.result);
    return next.handle().pipe(tap((result) => this.shop.note(context.resources.get(RetailStore), { key, result })));
  }
}
