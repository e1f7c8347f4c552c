import { Module } from '@nestjs/common';
import { ToolwrightModule } from '@toolwright/nestjs';
import { AppModule } from '../app/app.module.js';
import { ArticlesModule } from '../app/articles/articles.module.js';
import { AuthModule } from '../app/auth/auth.module.js';
import { AuthService } from '../app/auth/auth.service.js';
import { ProfilesModule } from '../app/profiles/profiles.module.js';
import { UsersModule } from '../app/users/users.module.js';
import { Approvals, ApprovalsController } from './approvals.js';
import { ArticleTools } from './article-tools.js';
import { EditorChat } from './chat.controller.js';
import { Editor } from './desk.js';
import { EditorMcp } from './mcp.controller.js';
import { ProfileTools } from './profile-tools.js';

@Module({ providers: [Approvals], controllers: [ApprovalsController], exports: [Approvals] })
class ApprovalsModule {}

/** The whole addition: this module replaces `AppModule` in `NestFactory.create`. */
@Module({
  imports: [
    AppModule,
    ArticlesModule,
    ProfilesModule,
    UsersModule,
    ToolwrightModule.forRootAsync({
      imports: [AuthModule, ApprovalsModule],
      inject: [AuthService, Approvals],
      useFactory: (auth: AuthService, approver: Approvals) => ({
        approver,
        // The chat passes its request along. Calls of MCP know their user: they get the request that the user would send.
        requestFor: ({ user }) =>
          user === undefined ? undefined : { headers: { authorization: `Bearer ${auth.sign(user)}` } },
      }),
    }),
  ],
  providers: [Editor, ArticleTools, ProfileTools],
  controllers: [EditorChat, EditorMcp],
})
export class AgentModule {}
