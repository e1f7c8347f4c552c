import {
  Injectable,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { User } from '../users/user.entity.js';
import { AuthService } from './auth.service.js';

export const Public = (): CustomDecorator => SetMetadata('isPublic', true);

export interface AuthRequest {
  readonly headers: { readonly authorization?: string | undefined };
  user?: User;
}

/** Global: every handler needs a bearer token, unless it is `@Public()`. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly auth: AuthService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const isPublic = this.reflector.getAllAndOverride<boolean | undefined>('isPublic', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (isPublic === true) return true;
    const request = context.switchToHttp().getRequest<AuthRequest>();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || token === undefined) throw new UnauthorizedException('Send a bearer token.');
    request.user = await this.auth.verify(token);
    return true;
  }
}
