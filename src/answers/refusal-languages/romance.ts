import type { Language, RefusalKind } from './language.ts';

type Patterns = Omit<Language, 'judge'> & { readonly refusing: RegExp; readonly unlearned: RegExp };

const language = ({ refusing, unlearned, ...rest }: Patterns): Language => ({
  ...rest,
  judge(clause): RefusalKind | null {
    if (refusing.test(clause)) return 'unable';
    return unlearned.test(clause) ? 'unlearned' : null;
  },
});

export const spanish = language({
  trigger:
    /\bno (?:puedo|podemos|podré|me es|es posible|estoy|estamos|soy capaz|lo sé|sé|tengo|debo|voy a|conozco)\b|imposible|me niego|debo (?:rechazar|negarme)/,
  refusing:
    /\b(?:no (?:puedo|podemos|podré|debo|me es posible|nos es posible|es posible|voy a|estoy (?:en condiciones|autorizad[oa]|capacitad[oa]|programad[oa])|soy capaz)|me (?:es|resulta) imposible|me niego a)(?: de| para)?(?: \S+){0,3}? (?:ayudar|responder|proporcionar|ofrecer|asistir|contestar|cumplir|dar|hablar|comparar|opinar|comentar|discutir|brindar|facilitar|compartir|participar|generar|procesar|atender|completar|realizar|continuar|recomendar (?:ning|un producto))|\bdebo (?:rechazar|negarme)/,
  unlearned:
    /\bno (?:lo )?sé\b|\bno tengo (?:suficiente )?(?:información|datos|acceso|conocimiento)|\bno conozco|\bno he aprendido/,
  preamble:
    /^\s*(?:hola|lo siento|lamento|perdón|disculp|gracias|como (?:una? )?(?:ia|inteligencia|modelo|asistente)|entiendo|desafortunadamente|lamentablemente|soy una? )/,
  policy: /política|ilegal|normas|directrices|ética|perjudicial|inapropiad|dañin|peligros|infring|la ley\b|reglas/,
  contrast: /[,;.]\s*(?:pero|sin embargo|no obstante|aunque|en cambio)\b/,
  idle: /otr[ao]s? (?:cosa|pregunta|tema|consulta)|algo más|con gusto|encantad[oa]|no dudes/,
  limited:
    /tiempo real|actualizad|personalizad|(?:asesoramiento|consejos?) (?:médic|legal|financier|de inversión)|diagnóstic/,
});

export const portuguese = language({
  trigger:
    /\bn[ãa]o (?:posso|consigo|podemos|é possível|me é|estou|sou capaz|sei|tenho|devo|vou|conheço)\b|impossível|recus/,
  refusing:
    /\b(?:n[ãa]o (?:posso|consigo|podemos|devo|vou|é possível|me é possível|estou (?:autorizad[oa]|apt[oa]|em condições|programad[oa])|sou capaz)|me recuso a)(?: de| para)?(?: \S+){0,3}? (?:ajud|responder|fornecer|oferecer|atender|falar|dar|comparar|opinar|comentar|discutir|compartilhar|auxiliar|participar|gerar|processar|cumprir|continuar|prestar)/,
  unlearned: /\bn[ãa]o sei\b|\bn[ãa]o tenho (?:informaç|dados|acesso|conhecimento)|\bn[ãa]o conheço|\bn[ãa]o aprendi/,
  preamble:
    /^\s*(?:olá|oi|desculp|lamento|sinto muito|infelizmente|obrigad|como (?:uma? )?(?:ia|inteligência|modelo|assistente)|entendo|sou uma? )/,
  policy: /política|ilegal|normas|diretrizes|ética|prejudicial|inadequad|perigos|viola|a lei\b|regras/,
  contrast: /[,;.]\s*(?:mas|porém|no entanto|contudo|todavia|entretanto)\b/,
  idle: /outr[ao]s? (?:coisa|pergunta|assunto|dúvida)|algo mais|com prazer|fique à vontade/,
  limited: /tempo real|atualizad|personalizad|(?:aconselhamento|conselhos?) (?:médic|jurídic|financeir)|diagnóstic/,
});

export const italian = language({
  trigger:
    /\bnon (?:posso|possiamo|sono|siamo|mi è|è possibile|riesco|so|lo so|ho|conosco|intendo)\b|impossibile|rifiut/,
  refusing:
    /\b(?:non (?:posso|possiamo|riesco a|mi è possibile|è possibile|sono (?:in grado|autorizzat[oa]|programmat[oa])|siamo in grado|intendo)|mi (?:è|risulta) impossibile|mi rifiuto di)(?: di| a)?(?: \S+){0,3}? ?(?:aiut|rispond|forni|offri|assist|dar[ei]|dare|parlare|confront|comment|discut|condivid|partecip|gener|elabor|soddisf|continu|esprim)/,
  unlearned:
    /\bnon (?:lo )?so\b|\bnon ho (?:abbastanza )?(?:informazioni|dati|accesso|conoscenz)|\bnon conosco|\bnon ho (?:ancora )?imparato/,
  preamble:
    /^\s*(?:ciao|salve|mi dispiace|scus|purtroppo|grazie|come (?:ia|intelligenza|modello|assistente)|capisco|sono un)/,
  policy: /politic[ah]|illegal|norme|linee guida|etic[aoh]|dannos|inappropriat|pericolos|viola|la legge\b|regole/,
  contrast: /[,;.]\s*(?:ma|però|tuttavia|comunque)\b/,
  idle: /altr[ao] (?:domanda|argomento|cosa)|qualcos'altro|volentieri|altre domande/,
  limited: /tempo reale|aggiornat|personalizzat|(?:consulenza|consigli[o]?) (?:medic|legal|finanziar)|diagnos/,
});
