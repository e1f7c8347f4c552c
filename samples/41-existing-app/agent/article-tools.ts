import { Inject, Injectable } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { IntersectionType } from '@nestjs/mapped-types';
import { IsString } from 'class-validator';
import { Param, Section, Tool } from 'toolwright';
import type { Article, Comment } from '../app/articles/article.entity.js';
import { ArticlesService } from '../app/articles/articles.service.js';
import { CreateArticleDto, CreateCommentDto, ListArticlesDto, UpdateArticleDto } from '../app/articles/dto.js';
import type { AuthRequest } from '../app/auth/auth.guard.js';
import type { User } from '../app/users/user.entity.js';

class SlugParams {
  @Param('The slug of an article, as list_articles shows it')
  @IsString()
  slug!: string;
}

/** A slug, and the fields of the application's own DTO with their rules. */
class UpdateArticleParams extends IntersectionType(SlugParams, UpdateArticleDto) {}
class CommentParams extends IntersectionType(SlugParams, CreateCommentDto) {}

/**
 * The articles as tools, beside the unchanged service. Built for each request, because it injects the request: the guard of the
 * application has added the user to it.
 */
@Injectable()
@Section({ key: 'articles', title: 'Articles', template: 'List articles before you change one.' })
export class ArticleTools {
  constructor(
    private readonly articles: ArticlesService,
    @Inject(REQUEST) private readonly request: AuthRequest,
  ) {}

  @Tool({ description: 'Lists articles, all or those of a tag or an author.', hints: { readOnly: true } })
  async listArticles(params: ListArticlesDto): Promise<string[]> {
    const found = await this.articles.list(params);
    return found.map(({ slug, title, author }) => `${slug}: "${title}" by ${author}`);
  }

  @Tool({ description: 'Reads an article.', hints: { readOnly: true } })
  readArticle({ slug }: SlugParams): Promise<Article> {
    return this.articles.find(slug);
  }

  @Tool('Writes an article in the name of the user.')
  createArticle(params: CreateArticleDto): Promise<Article> {
    return this.articles.create(this.user, params);
  }

  @Tool('Changes fields of an article of the user.')
  updateArticle({ slug, ...fields }: UpdateArticleParams): Promise<Article> {
    return this.articles.update(this.user, slug, Object.assign(new UpdateArticleDto(), fields));
  }

  @Tool({ description: 'Deletes an article of the user.', requiresApproval: true })
  async deleteArticle({ slug }: SlugParams): Promise<string> {
    await this.articles.remove(this.user, slug);
    return `Deleted ${slug}.`;
  }

  @Tool('Marks an article as a favourite of the user.')
  favorArticle({ slug }: SlugParams): Promise<Article> {
    return this.articles.favor(this.user, slug);
  }

  @Tool({ description: 'Reads the comments on an article.', hints: { readOnly: true } })
  listComments({ slug }: SlugParams): Promise<readonly Comment[]> {
    return this.articles.comments(slug);
  }

  @Tool('Comments on an article in the name of the user.')
  addComment({ slug, ...comment }: CommentParams): Promise<Comment> {
    return this.articles.addComment(this.user, slug, Object.assign(new CreateCommentDto(), comment));
  }

  private get user(): User {
    return this.request.user!;
  }
}
