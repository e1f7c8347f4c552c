import { Param, Section, Tool, type Ref } from 'toolwright';

class NoteParams {
  @Param('Text of the note')
  text!: string;
}

@Section({ key: 'notes', title: 'Notes' })
export class Notes {
  @Tool({ description: 'Write a note.', params: () => NoteParams })
  write({ text }: Ref<NoteParams>): string {
    return text.toUpperCase();
  }
}
