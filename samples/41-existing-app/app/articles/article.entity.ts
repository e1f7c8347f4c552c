export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
}

export interface Article {
  readonly slug: string;
  readonly author: string;
  title: string;
  description: string;
  body: string;
  tagList: string[];
  favoritesCount: number;
}
