// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Who signed this?
library Signatures {
    /// @notice Whether `signer` signed `digest`: by its own key, or by its ERC-1271 answer.
    /// @dev The key is tried first and whatever code the signer carries: an account delegated under EIP-7702 to code
    ///      that knows no ERC-1271 keeps its key, and a plain contract has no key to recover to.
    ///      Malleable (high-s) signatures and a zero recovery are refused by ECDSA.
    function isSignedBy(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && recovered == signer) return true;
        return signer.code.length > 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }
}
