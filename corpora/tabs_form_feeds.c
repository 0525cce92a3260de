/* Form feeds, vertical tabs, tabs and trailing blanks between and inside
   statements.  Columns and indentation mean nothing here, and white space is
   more than the blank, the tab and the line end. */
#include	<stdint.h>
#include <stdio.h>

static	uint32_t	hash	=	563;
staticintfed=0;

static void	mix(uint32_t v)
{	
		hash = (hash ^ v)	*	16777619u;	
  	}

static intbranch	(	int	n	){
	int	r	=	n	;		
	if	(r>4)	r	-=	4	;else
	r	+=	9;   	
	 	 	while	(	r	>	7	)	{r	--;fed	++;}	

	dor++;while(r<5);
	for(int	i	=	0	;i<3;i++	)	
		r	^=	i;			
	switch(r&1){case0:r++;break;default:;}
		returnr;	}	

/* a comment with a  form feed and a  vertical tab */
static unsigned char	cells [	5	]	=	{	1	,2,	3	}	;

int	main	(	void	)	
{
	int	k;	
	const char *text = "tab	here";

	for (k = 0; k < 9; k++)	{
		int	b	=	branch(k);	short	s	=	(short)(b	*	2);
		cells[k % 5]	+=	(unsigned char)s;
		printf("%d:\t%d\t%d\n",	k,	b,	s);
		mix((uint32_t)b);	mix((uint32_t)s);
	}	
	for	(k	=	0;	k	<	5;	k++)	mix(cells[k]);
	while (*text) mix((unsigned char)*text++);
	mix((uint32_t)fed);
	printf("checksum = %08x\n", (unsigned)hash);
	return	0;
}	

