import { Injectable } from '@nestjs/common';
import type { Article, Comment } from './article.entity.js';

@Injectable()
export class ArticlesRepository {
  readonly #articles = new Map<string, Article>();
  readonly #comments = new Map<string, Comment[]>();
  readonly #favorites = new Map<string, Set<number>>();

  async find(slug: string): Promise<Article | undefined> {
    const article = this.#articles.get(slug);
    return article && { ...article, favoritesCount: this.#favorites.get(slug)?.size ?? 0 };
  }

  async findAll(): Promise<Article[]> {
    return Promise.all([...this.#articles.keys()].map(async (slug) => (await this.find(slug))!));
  }

  async save(article: Article): Promise<Article> {
    this.#articles.set(article.slug, { ...article });
    return (await this.find(article.slug))!;
  }

  async remove(slug: string): Promise<void> {
    this.#articles.delete(slug);
  }

  async favor(slug: string, userId: number): Promise<void> {
    const all = this.#favorites.get(slug) ?? new Set();
    this.#favorites.set(slug, all.add(userId));
  }

  async commentsOf(slug: string): Promise<readonly Comment[]> {
    return this.#comments.get(slug) ?? [];
  }

  async addComment(slug: string, author: string, body: string): Promise<Comment> {
    const all = this.#comments.get(slug) ?? [];
    const comment = { id: all.length + 1, author, body };
    this.#comments.set(slug, [...all, comment]);
    return comment;
  }
}
