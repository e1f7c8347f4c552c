import type { Constructor } from 'toolwright';
import { findArgs, type OptionNames, requireOptionNames } from 'toolwright/internal';
import { ConfigurableModuleBuilder, Module, type DynamicModule, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { FeaturePrompts, Toolwright, toolwrightToken } from './Toolwright.js';
import {
  rootOptionNames,
  type ToolwrightModuleExtras,
  type ToolwrightModuleOptions,
} from './ToolwrightModuleOptions.js';

const OPTIONS = 'TOOLWRIGHT_MODULE_OPTIONS';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<ToolwrightModuleOptions>({
  optionsInjectionToken: OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createToolwrightOptions')
  .setExtras<ToolwrightModuleExtras>({ name: undefined, isGlobal: true }, (definition, { name, isGlobal }) => {
    const token = toolwrightToken(name);
    const toolwright = {
      provide: token,
      inject: [ModuleRef, OPTIONS],
      useFactory: (moduleRef: ModuleRef, options: ToolwrightModuleOptions) => new Toolwright(moduleRef, options, name),
    };
    return {
      ...definition,
      global: isGlobal !== false,
      providers: [...(definition.providers ?? []), toolwright],
      exports: [token],
    };
  })
  .build();

/** Options of `forFeature`. */
export interface ToolwrightFeatureOptions {
  /** The name of the application, from `forRoot({ name })`; the application without a name when left out. */
  readonly name?: string | undefined;
  /** Modules with exports that the classes inject. */
  readonly imports?: DynamicModule['imports'] | undefined;
}

const featureNames: OptionNames<ToolwrightFeatureOptions> = { name: 1, imports: 1 };

/**
 * Creates an application with the prompts of a Nest application. Nest builds their sections and tools, and its guards, pipes,
 * interceptors and filters apply to tool calls. The application is closed when Nest shuts down. `forRootAsync` takes `useFactory`,
 * `useClass` (`createToolwrightOptions`) or `useExisting`, with `imports` and `inject`, and also `name` and `isGlobal`.
 *
 * @example
 * @Module({ imports: [ToolwrightModule.forRoot()], providers: [OrdersSection, SupportDesk] })
 * export class AppModule {}
 */
@Module({})
export class ToolwrightModule extends ConfigurableModuleClass {
  /**
   * Creates the application. All options have defaults.
   *
   * @throws PromptError E413 for an unknown option
   */
  static override forRoot(options: ToolwrightModuleOptions & ToolwrightModuleExtras = {}): DynamicModule {
    requireOptionNames('ToolwrightModule.forRoot', options, rootOptionNames);
    return super.forRoot(options);
  }

  /**
   * Provides sections, tool classes and prompts that no other module provides, and adds the prompts to an application.
   *
   * @param classes the classes; prompts may have further providers in other modules, all other classes may not
   * @throws PromptError E413 for an unknown option
   */
  static forFeature(classes: readonly Constructor[], options: ToolwrightFeatureOptions = {}): DynamicModule {
    requireOptionNames('ToolwrightModule.forFeature', options, featureNames);
    const { name, imports = [] } = options;
    const prompts = classes.filter((type) => findArgs(type)?.prompt !== undefined);
    const providers = [...classes] as Type[];
    const feature = { provide: FeaturePrompts, useValue: new FeaturePrompts(name, prompts) };
    return { module: FeatureModule, imports, providers: [...providers, feature], exports: providers };
  }
}

/** The module of one `forFeature`. */
@Module({})
class FeatureModule {}
