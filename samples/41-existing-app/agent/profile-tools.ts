import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Param, Section, Tool, ToolContext } from 'toolwright';
import { ProfilesService, type Profile } from '../app/profiles/profiles.service.js';
import { UpdateUserDto } from '../app/users/dto.js';
import { User } from '../app/users/user.entity.js';
import { UsersService } from '../app/users/users.service.js';

class UsernameParams {
  @Param('The name of a user')
  @IsString()
  username!: string;
}

/** The users as tools. One instance serves everyone: the user is found by the metadata of the run. */
@Injectable()
@Section({ key: 'profiles', title: 'Profiles' })
export class ProfileTools {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly users: UsersService,
  ) {}

  @Tool({ description: 'Shows who the user is.', hints: { readOnly: true } })
  whoAmI(context: ToolContext): Promise<User> {
    return this.#userOf(context);
  }

  @Tool('Changes the bio or the address of the user.')
  async updateUser(params: UpdateUserDto, context: ToolContext): Promise<User> {
    return this.users.update(await this.#userOf(context), params);
  }

  @Tool({ description: 'Shows the profile of a user.', hints: { readOnly: true } })
  async showProfile({ username }: UsernameParams, context: ToolContext): Promise<Profile> {
    return this.profiles.find(username, await this.#userOf(context));
  }

  @Tool('Follows a user.')
  async followUser({ username }: UsernameParams, context: ToolContext): Promise<Profile> {
    return this.profiles.follow(username, await this.#userOf(context));
  }

  #userOf({ runMetadata }: ToolContext): Promise<User> {
    return this.users.findByName(runMetadata['user'] ?? '');
  }
}
