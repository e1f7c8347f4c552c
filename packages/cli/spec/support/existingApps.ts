type Files = Readonly<Record<string, string>>;

const NEST_SOURCES: Files = {
  'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
`,
  'src/app.module.ts': `import { Module } from '@nestjs/common';
import { AppController } from './app.controller';
import { AppService } from './app.service';

@Module({
  imports: [],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
`,
  'src/app.controller.ts': `import { Controller, Get } from '@nestjs/common';
import { AppService } from './app.service';

@Controller()
export class AppController {
  constructor(private readonly appService: AppService) {}

  @Get()
  getHello(): string {
    return this.appService.getHello();
  }
}
`,
  'src/app.service.ts': `import { Injectable } from '@nestjs/common';

@Injectable()
export class AppService {
  getHello(): string {
    return 'Hello World!';
  }
}
`,
  'src/app.controller.spec.ts': `import { AppService } from './app.service';

test('says hello', () => {
  expect(new AppService().getHello()).toBe('Hello World!');
});
`,
  'test/app.e2e-spec.ts': "import { AppModule } from './../src/app.module';\n\nexport const tested = AppModule;\n",
  'tsconfig.build.json':
    '{ "extends": "./tsconfig.json", "exclude": ["node_modules", "test", "dist", "**/*spec.ts"] }\n',
};

/** A Nest 11 application as `nest new` writes it: CommonJS and jest, which compiles with `@swc/jest` here. The types are named for TypeScript 6. */
export const nest11: Files = {
  ...NEST_SOURCES,
  'package.json': `{
  "name": "shop",
  "version": "0.0.1",
  "private": true,
  "scripts": {
    "build": "nest build",
    "test": "jest"
  },
  "dependencies": {
    "@nestjs/common": "^11.0.1",
    "@nestjs/core": "^11.0.1",
    "@nestjs/platform-express": "^11.0.1",
    "reflect-metadata": "^0.2.2",
    "rxjs": "^7.8.1"
  },
  "devDependencies": {
    "@nestjs/testing": "^11.0.1",
    "@types/jest": "^30.0.0",
    "@types/node": "^22.10.7",
    "jest": "^30.0.0",
    "typescript": "^5.7.3"
  },
  "jest": {
    "moduleFileExtensions": ["js", "json", "ts"],
    "rootDir": "src",
    "testRegex": ".*\\\\.spec\\\\.ts$",
    "transform": {
      "^.+\\\\.(t|j)s$": ["@swc/jest", { "jsc": { "parser": { "syntax": "typescript", "decorators": true }, "transform": { "legacyDecorator": true, "decoratorMetadata": true } } }]
    },
    "testEnvironment": "node"
  }
}
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "resolvePackageJsonExports": true,
    "esModuleInterop": true,
    "isolatedModules": true,
    "declaration": true,
    "removeComments": true,
    "emitDecoratorMetadata": true,
    "experimentalDecorators": true,
    "allowSyntheticDefaultImports": true,
    "target": "ES2023",
    "sourceMap": true,
    "outDir": "./dist",
    "incremental": true,
    "skipLibCheck": true,
    "strictNullChecks": true,
    "noImplicitAny": false,
    "types": ["jest", "node"]
  }
}
`,
};

/** A Nest 12 application as `nest new` writes it: ES modules and vitest. */
export const nest12: Files = {
  ...Object.fromEntries(
    Object.entries(NEST_SOURCES).map(([path, text]) => [path, text.replace(/(from '\.[^']*)'/g, "$1.js'")]),
  ),
  'package.json': `{
  "name": "shop",
  "version": "0.0.1",
  "private": true,
  "type": "module",
  "scripts": {
    "build": "nest build",
    "test": "vitest run"
  },
  "dependencies": {
    "@nestjs/common": "^12.0.1",
    "@nestjs/core": "^12.0.1",
    "@nestjs/platform-express": "^12.0.1",
    "reflect-metadata": "^0.2.2",
    "rxjs": "^7.8.1"
  },
  "devDependencies": {
    "@nestjs/testing": "^12.0.1",
    "@types/node": "^24.0.0",
    "typescript": "^6.0.2",
    "vitest": "^4.1.2"
  }
}
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "resolvePackageJsonExports": true,
    "esModuleInterop": true,
    "isolatedModules": true,
    "declaration": true,
    "removeComments": true,
    "emitDecoratorMetadata": true,
    "experimentalDecorators": true,
    "allowSyntheticDefaultImports": true,
    "target": "ES2023",
    "sourceMap": true,
    "outDir": "./dist",
    "rootDir": ".",
    "incremental": true,
    "skipLibCheck": true,
    "strict": true,
    "strictPropertyInitialization": false,
    "types": ["vitest/globals", "node"]
  }
}
`,
  'vitest.config.ts': `import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globals: true, root: './', include: ['**/*.spec.ts'] } });
`,
};

/** An application without a host, whose tsconfig.json has comments. */
export const plain: Files = {
  'package.json': `{
    "name": "desk",
    "type": "module",
    "scripts": { "test": "tsc && cd dist && node --test" },
    "devDependencies": { "typescript": "^6.0.0", "@types/node": "^20.19.0" }
}
`,
  'tsconfig.json': `// Settings of the desk.
{
  "compilerOptions": {
    /* Modules */
    "module": "nodenext",
    "target": "es2022", // Node 20
    "strict": true,
    "skipLibCheck": true,
    "rootDir": ".",
    "outDir": "dist", // the build
  },
  "include": ["src"],
}
`,
  'src/greet.ts': 'export const greet = (): string => "Hello";\n',
  'src/main.ts': "import { greet } from './greet.js';\n\nconsole.log(greet());\n",
};
