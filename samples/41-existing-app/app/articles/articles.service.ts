import { ConflictException, ForbiddenException, Injectable, NotFoundException } from '@nestjs/common';
import type { User } from '../users/user.entity.js';
import type { Article, Comment } from './article.entity.js';
import { ArticlesRepository } from './articles.repository.js';
import type { CreateArticleDto, CreateCommentDto, ListArticlesDto, UpdateArticleDto } from './dto.js';

@Injectable()
export class ArticlesService {
  constructor(private readonly articles: ArticlesRepository) {}

  async list({ tag, author }: ListArticlesDto): Promise<Article[]> {
    const all = await this.articles.findAll();
    return all.filter(
      (article) =>
        (tag === undefined || article.tagList.includes(tag)) && (author === undefined || article.author === author),
    );
  }

  async find(slug: string): Promise<Article> {
    const article = await this.articles.find(slug);
    if (article === undefined) throw new NotFoundException(`There is no article ${slug}.`);
    return article;
  }

  async tags(): Promise<string[]> {
    const all = await this.articles.findAll();
    return [...new Set(all.flatMap(({ tagList }) => tagList))].sort();
  }

  async create(author: User, { title, description, body, tagList = [] }: CreateArticleDto): Promise<Article> {
    const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    if ((await this.articles.find(slug)) !== undefined) throw new ConflictException(`There is an article ${slug}.`);
    const article = { slug, author: author.username, title, description, body, tagList, favoritesCount: 0 };
    return this.articles.save(article);
  }

  async update(editor: User, slug: string, dto: UpdateArticleDto): Promise<Article> {
    const article = await this.ownArticle(editor, slug);
    const given = Object.fromEntries(Object.entries(dto).filter(([, value]) => value !== undefined));
    return this.articles.save({ ...article, ...given });
  }

  async remove(editor: User, slug: string): Promise<void> {
    await this.ownArticle(editor, slug);
    await this.articles.remove(slug);
  }

  async favor(reader: User, slug: string): Promise<Article> {
    await this.find(slug);
    await this.articles.favor(slug, reader.id);
    return this.find(slug);
  }

  async comments(slug: string): Promise<readonly Comment[]> {
    await this.find(slug);
    return this.articles.commentsOf(slug);
  }

  async addComment(author: User, slug: string, { body }: CreateCommentDto): Promise<Comment> {
    await this.find(slug);
    return this.articles.addComment(slug, author.username, body);
  }

  private async ownArticle(editor: User, slug: string): Promise<Article> {
    const article = await this.find(slug);
    if (article.author !== editor.username) throw new ForbiddenException('Only its author may change an article.');
    return article;
  }
}
