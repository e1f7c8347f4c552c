/** What happens to a call that began in a process that ended, and whose effects cannot be repeated safely. */
export type UnknownCallPolicy = 'fail' | 'repeat' | 'ask';
