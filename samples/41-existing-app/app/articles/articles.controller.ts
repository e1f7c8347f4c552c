import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { Public } from '../auth/auth.guard.js';
import { CurrentUser } from '../auth/current-user.decorator.js';
import { User } from '../users/user.entity.js';
import type { Article, Comment } from './article.entity.js';
import { ArticlesService } from './articles.service.js';
import { CreateArticleDto, CreateCommentDto, ListArticlesDto, UpdateArticleDto } from './dto.js';

@Controller('articles')
export class ArticlesController {
  constructor(private readonly articles: ArticlesService) {}

  @Public()
  @Get()
  list(@Query() query: ListArticlesDto): Promise<Article[]> {
    return this.articles.list(query);
  }

  @Public()
  @Get(':slug')
  find(@Param('slug') slug: string): Promise<Article> {
    return this.articles.find(slug);
  }

  @Post()
  create(@CurrentUser() user: User, @Body() dto: CreateArticleDto): Promise<Article> {
    return this.articles.create(user, dto);
  }

  @Put(':slug')
  update(@CurrentUser() user: User, @Param('slug') slug: string, @Body() dto: UpdateArticleDto): Promise<Article> {
    return this.articles.update(user, slug, dto);
  }

  @Delete(':slug')
  remove(@CurrentUser() user: User, @Param('slug') slug: string): Promise<void> {
    return this.articles.remove(user, slug);
  }

  @Post(':slug/favorite')
  favor(@CurrentUser() user: User, @Param('slug') slug: string): Promise<Article> {
    return this.articles.favor(user, slug);
  }

  @Public()
  @Get(':slug/comments')
  comments(@Param('slug') slug: string): Promise<readonly Comment[]> {
    return this.articles.comments(slug);
  }

  @Post(':slug/comments')
  addComment(@CurrentUser() user: User, @Param('slug') slug: string, @Body() dto: CreateCommentDto): Promise<Comment> {
    return this.articles.addComment(user, slug, dto);
  }
}

@Controller('tags')
export class TagsController {
  constructor(private readonly articles: ArticlesService) {}

  @Public()
  @Get()
  tags(): Promise<string[]> {
    return this.articles.tags();
  }
}
