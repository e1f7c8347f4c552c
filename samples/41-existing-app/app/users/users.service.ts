import { Injectable, NotFoundException } from '@nestjs/common';
import type { UpdateUserDto } from './dto.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class UsersService {
  constructor(private readonly users: UsersRepository) {}

  async findByName(username: string): Promise<User> {
    const user = await this.users.findByName(username);
    if (user === undefined) throw new NotFoundException(`There is no user ${username}.`);
    return user;
  }

  update(user: User, { email, bio }: UpdateUserDto): Promise<User> {
    return this.users.save(Object.assign(new User(user), { email: email ?? user.email, bio: bio ?? user.bio }));
  }
}
