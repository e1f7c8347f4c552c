// Stands for the sign-in that the application has already: a token, a user, two guards.
import {
  Injectable,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';

export type Role = 'support' | 'accounts' | 'chief';

export class User {
  constructor(
    readonly name: string,
    readonly roles: readonly Role[],
  ) {}
}

const users = new Map([
  ['ann-token', new User('ann', ['support'])],
  ['kim-token', new User('kim', ['support', 'accounts'])],
]);

export function userOf(authorization: string | undefined): User | undefined {
  return users.get(authorization?.replace(/^Bearer /, '') ?? '');
}

/** What guards know of a request. */
export interface SignedInRequest {
  readonly headers: { readonly authorization?: string };
  user?: User;
}

/** On controllers: who has no token comes no further. */
@Injectable()
export class SignedIn implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const request = host.switchToHttp().getRequest<SignedInRequest>();
    const user = userOf(request.headers.authorization);
    if (user === undefined) throw new UnauthorizedException('Sign in first.');
    request.user = user;
    return true;
  }
}

export const Roles = (...roles: readonly Role[]): CustomDecorator => SetMetadata('roles', roles);

/** Everywhere: a method that names roles is for those who have one of them, be it called over HTTP or by a model. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(host: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<readonly Role[] | undefined>('roles', [
      host.getHandler(),
      host.getClass(),
    ]);
    const { user } = host.switchToHttp().getRequest<SignedInRequest>();
    return roles === undefined || roles.some((role) => user?.roles.includes(role) === true);
  }
}
