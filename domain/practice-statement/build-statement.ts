import { programVersion } from '../schema/program-version.ts'
import type { Rules } from '../scope.ts'
import { dataReceived, dataSent } from './exchange.ts'
import { describeAgeRule, describeLifetimes, describeMethod, describeResult } from './function.ts'
import { describeLimits } from './limits.ts'
import { type Fact, operatorFact, type Section, type Statement } from './practice.ts'
import { describeRetention } from './retention.ts'
import { describeRevocation, describeSecurity } from './security.ts'

/**
 * The practice statement of the service, from its rules and configuration. Nothing in it changes by itself, such as a time or
 * the name of a process: equal services have equal statements.
 */
export function buildStatement(rules: Rules): Statement {
  return {
    service: rules.baseUrl,
    sections: {
      responsible: section('Who is responsible', {
        controller: operatorFact(rules, 'controller', 'Controller'),
        contact: operatorFact(rules, 'contact', 'Contact'),
        role: fact(
          'Role',
          'An age assurance provider. Its tenants are the relying parties: they ask for a verification, learn its result, and ' +
            'decide what it means for a person. No intermediary is between them.',
        ),
        review: fact(
          'Review',
          'The service writes this statement itself, from what runs. Each change makes a new version, with its date and its ' +
            'SHA-256; earlier versions stay readable.',
        ),
      }),
      method: section('Function: the method', describeMethod(rules)),
      result: section('Function: the result', describeResult()),
      age: section('Function: the rule of the age', describeAgeRule(rules)),
      lifetimes: section('Function: lifetimes', describeLifetimes(rules)),
      performance: section('Performance: known limits', describeLimits(rules)),
      ...(rules.practice.provider && {
        sent: section('Privacy: what the provider is sent', dataSent),
        received: section('Privacy: what the provider sends', dataReceived),
      }),
      privacy: section('Privacy: what is kept, and for how long', describeRetention(rules)),
      revocation: section('Security: revocation', describeRevocation()),
      security: section('Security: protection', describeSecurity(rules)),
      acceptability: section('Acceptability', describeAcceptability(rules)),
      versions: section('Versions', {
        service: fact('Service', programVersion),
        contract: fact('Contract of the tenant API', rules.practice.contract),
        node: fact('Node.js', process.version),
      }),
    },
  }
}

function describeAcceptability(rules: Rules): Record<string, Fact> {
  return {
    alternative: operatorFact(rules, 'alternative', 'Another way for people without documents'),
    complaints: operatorFact(rules, 'complaints', 'Complaints'),
    complaintsWithin: operatorFact(rules, 'complaintsDays', 'Complaints are answered within'),
    secondLook: fact(
      'A second look',
      'The relying party sees the status, the timeline and the reason codes of a verification, not the pictures. It can ask ' +
        'for another verification of the same person at any time, and decide otherwise.',
    ),
    hosted: fact(
      'Accessibility of the hosted page',
      'The page on which a person is verified is the provider’s, and so are its accessibility and its languages. The service ' +
        'puts no page before it, and leads on to the relying party after it. Its address opens on any device, as often as somebody wants while the verification is open.',
    ),
    own: fact(
      'Accessibility of the service’s own pages',
      'This statement, the documentation and the dashboard are tested with the automatic rules of axe for ' +
        'WCAG 2.2, level AA. No audit is claimed.',
    ),
    providerCertificates: operatorFact(rules, 'providerCertificates', 'Certificates of the provider'),
  }
}

function section(title: string, facts: Record<string, Fact>): Section {
  return { title, facts }
}

function fact(name: string, text: string): Fact {
  return { name, text }
}
