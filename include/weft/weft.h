/// Everything of weft that a host uses. This header declares nothing itself.
#pragma once
