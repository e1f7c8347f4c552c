import { Prompt } from 'toolwright';
import { ArticleTools } from './article-tools.js';
import { ProfileTools } from './profile-tools.js';

@Prompt({ ns: 'conduit', key: 'editor', name: 'Editor', sections: [ArticleTools, ProfileTools] })
export class Editor {}
