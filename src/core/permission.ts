/** What a caller may be allowed to do; which roles may stands in `accounts/roles.ts`. */
export type Permission = 'read' | 'analyse' | 'decide' | 'submit' | 'configure' | 'replay' | 'operate' | 'own';
