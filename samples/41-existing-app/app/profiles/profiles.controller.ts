import { Controller, Get, Param, Post } from '@nestjs/common';
import { CurrentUser } from '../auth/current-user.decorator.js';
import { User } from '../users/user.entity.js';
import { ProfilesService, type Profile } from './profiles.service.js';

@Controller('profiles')
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Get(':username')
  find(@Param('username') username: string, @CurrentUser() reader: User): Promise<Profile> {
    return this.profiles.find(username, reader);
  }

  @Post(':username/follow')
  follow(@Param('username') username: string, @CurrentUser() reader: User): Promise<Profile> {
    return this.profiles.follow(username, reader);
  }
}
