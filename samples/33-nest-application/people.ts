// Represents the existing sign-in of the application: a token, a user, two guards.
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

/** The part of a request that guards use. */
export interface SignedInRequest {
  readonly headers: { readonly authorization?: string };
  user?: User;
}

/** For controllers: refuses requests without a token. */
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

/** Global: a method that names roles requires one of them, whether it is called over HTTP or by a model. */
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
