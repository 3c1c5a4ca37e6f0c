// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A contract wallet with one owner that asks for a hash inside a message of its own, as Safe does. For tests only.
contract SafeStyleWallet is IERC1271 {
    bytes32 private constant DOMAIN_TYPEHASH = keccak256("EIP712Domain(uint256 chainId,address verifyingContract)");
    bytes32 private constant MESSAGE_TYPEHASH = keccak256("SafeMessage(bytes message)");

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPEHASH, block.chainid, address(this)));
        bytes32 message = keccak256(abi.encode(MESSAGE_TYPEHASH, keccak256(abi.encode(hash))));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain, message));
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(digest, signature);
        bool good = failure == ECDSA.RecoverError.NoError && recovered == owner;
        return good ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
