import { Body, Controller, Get, Put } from '@nestjs/common';
import { CurrentUser } from '../auth/current-user.decorator.js';
import { UpdateUserDto } from './dto.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

@Controller('user')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  me(@CurrentUser() user: User): User {
    return user;
  }

  @Put()
  update(@CurrentUser() user: User, @Body() dto: UpdateUserDto): Promise<User> {
    return this.users.update(user, dto);
  }
}
