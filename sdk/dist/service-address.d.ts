/** The option's URL, to which paths are added. Throws a `TypeError` that names the option if it is no http or https URL. */
export declare function withoutTrailingSlash(option: 'baseUrl' | 'issuer', address: string): string;
